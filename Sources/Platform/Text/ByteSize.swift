/// A number of bytes as people type it: `20GB`, `1GiB`, `1.5TB`.
package enum ByteSize {
    /// The units, the largest first of those that end alike.
    private static let units: [(name: String, bytes: Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
        ("B", 1),
    ]

    /// The maximum, 1 EiB: far below the limits of `Int`.
    private static let maximum = 1 << 60

    /// Parses a size with its unit, rounded down to whole bytes; `nil` if `text` is none, or is more than 1 EiB.
    package static func bytes(in text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(decimal: text.dropLast(unit.name.count))
        else { return nil }
        let bytes = number * Double(unit.bytes)
        return 0...Double(maximum) ~= bytes ? Int(bytes) : nil
    }

    /// The shortest exact form: `20GB`; ``bytes(in:)`` parses it as the same number, for each size that it returns.
    package static func text(of bytes: Int) -> String {
        let exact = units.filter { bytes >= $0.bytes && bytes.isMultiple(of: $0.bytes) }
        guard let unit = exact.max(by: { $0.bytes < $1.bytes }) else { return "\(bytes)B" }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}

extension Double {
    /// Parses a number of digits with a point or without, as people type it.
    package init?(decimal text: Substring) {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        self.init(text)
    }
}

extension Int {
    /// The sum of two sizes, at most `Int.max`: sparse files have any size, and records any number.
    package func addingSaturating(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

extension Sequence<Int> {
    /// The sum of sizes, at most `Int.max`.
    package func saturatingSum() -> Int { reduce(0) { $0.addingSaturating($1) } }
}
