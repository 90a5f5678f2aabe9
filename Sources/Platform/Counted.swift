/// `1 day`, `2 days`: a number and what it counts.
///
/// `many` is the plural, where that is not the singular and an s.
package func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? "\(one)s")"
}
