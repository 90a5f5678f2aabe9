/// A number of bytes as people type it: `20GB`, `1GiB`, `1.5TB`.
package enum ByteSize {
    /// The units; `B` is last, because all others end with it.
    private static let units: [(name: String, bytes: Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
        ("B", 1),
    ]

    /// 1 EiB, which is far below the limit of `Int`.
    private static let maximum = 1 << 60

    /// Parses a size such as `1.5TB`, and rounds it down to whole bytes.
    ///
    /// - Returns: `nil` if `text` is not a number with a unit, or is more than 1 EiB.
    package static func bytes(in text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(decimal: text.dropLast(unit.name.count))
        else { return nil }
        let bytes = number * Double(unit.bytes)
        return (0...Double(maximum)).contains(bytes) ? Int(bytes) : nil
    }

    /// The size with the largest unit in which it is a whole number, such as `20GB`; see ``bytes(in:)``.
    package static func text(of bytes: Int) -> String {
        let exact = units.filter { bytes >= $0.bytes && bytes.isMultiple(of: $0.bytes) }
        guard let unit = exact.max(by: { $0.bytes < $1.bytes }) else { return "\(bytes)B" }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}

extension Double {
    /// Parses a number with or without a point, `1.5`, but not `1e5` or `-1`.
    package init?(decimal text: Substring) {
        let digitsAndPoint = Array("0123456789.".utf8)
        guard text.utf8.allSatisfy(digitsAndPoint.contains) else { return nil }
        self.init(text)
    }
}

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
