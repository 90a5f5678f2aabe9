extension Int {
    /// The sum of two sizes; it is `Int.max` instead of an overflow, because sparse files may have any size.
    package func addingSaturating(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

extension Sequence<Int> {
    /// The sum of sizes, at most `Int.max`.
    package func saturatingSum() -> Int { reduce(0) { $0.addingSaturating($1) } }
}
