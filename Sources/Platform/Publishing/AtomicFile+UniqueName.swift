/// The names of temporary files, by which a later start of the program recognizes those that a killed process has left.
extension AtomicFile {
    /// How many hexadecimal digits a number of 64 bits has.
    private static let uniqueDigits = 16
    /// The length of what ``uniqueName(_:)`` appends: a blank and the digits.
    package static let uniqueSuffixLength = 1 + uniqueDigits

    /// The most bytes of a prefix; with the suffix, a name then has less than 143 bytes, the maximum of eCryptfs.
    private static let prefixLimit = 120

    /// A name for a temporary file: `prefix`, a blank and a random number, as in `x.jpg.part 0123456789abcdef`.
    ///
    /// A long prefix is cut.
    package static func uniqueName(
        _ prefix: String, number: UInt64 = .random(in: .min ... .max)
    ) -> String {
        let prefix = String(decoding: prefix.utf8.prefix(prefixLimit), as: UTF8.self)
        let digits = String(number, radix: 16)
        let zeros = String(repeating: "0", count: uniqueDigits - digits.utf8.count)
        return "\(prefix) \(zeros)\(digits)"
    }

    /// `path` without the number at its end, which ``uniqueName(_:)`` appended.
    static func withoutNumber(_ path: String) -> String {
        String(decoding: path.utf8.dropLast(uniqueSuffixLength), as: UTF8.self)
    }

    /// Whether `name` looks as if ``uniqueName(_:)`` made it; no person chooses such a name.
    package static func isUniqueName(_ name: String) -> Bool {
        let number = name.utf8.suffix(uniqueDigits)
        return name.utf8.count > uniqueSuffixLength
            && name.utf8.dropLast(uniqueDigits).last == UInt8(ascii: " ")
            && number.allSatisfy("0123456789abcdef".utf8.contains)
    }
}
