/// A number of bytes, as people read it (`3.2 MB`) and as they type it (`20GB`, `1GiB`, `1.5TB`).
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    package let bytes: Int

    package init(_ bytes: Int) {
        self.bytes = bytes
    }

    // MARK: Reading

    package var description: String {
        var value = Double(bytes)
        guard value >= 1000 else { return "\(bytes) B" }
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            // From 999.5 on, a number would be rounded to 1000. It gets the next unit instead.
            if value < 999.5 { return "\(Self.digits(value)) \(unit)" }
        }
        return "\(Self.digits(value / 1000)) TB"
    }

    /// Three digits at most: `3.2`, `99.9`, `100`.
    private static func digits(_ value: Double) -> String {
        guard value < 99.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: Typing

    /// The units; `B` is last, because all others end with it.
    private static let units: [(name: String, bytes: Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
        ("B", 1),
    ]

    /// 1 EiB, which is far below the limit of `Int`.
    private static let typedMaximum = 1 << 60

    /// Parses a size such as `1.5TB`, and rounds it down to whole bytes.
    ///
    /// Fails if `text` is not a number with a unit, or is more than 1 EiB.
    package init?(typed text: String) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(decimal: text.dropLast(unit.name.count))
        else { return nil }
        let bytes = number * Double(unit.bytes)
        guard (0...Double(Self.typedMaximum)).contains(bytes) else { return nil }
        self.init(Int(bytes))
    }

    /// The size with the largest unit in which it is a whole number, such as `20GB`; see ``init(typed:)``.
    package var typed: String {
        let exact = Self.units.filter { bytes >= $0.bytes && bytes.isMultiple(of: $0.bytes) }
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
