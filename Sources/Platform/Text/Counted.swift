/// A number with its noun: `1 day`, `2 days`; without a `plural`, it is the singular and an s.
package func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? "\(singular)s")"
}

extension [String] {
    /// The first `limit` lines; if there are more, `lineForRest` makes a last line of their number, such as `3 more days`.
    package func limited(to limit: Int, _ lineForRest: (Int) -> String) -> [String] {
        count > limit ? prefix(limit) + [lineForRest(count - limit)] : self
    }
}
