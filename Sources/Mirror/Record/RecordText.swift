internal import APOD

/// The rules for the texts of a record.
extension String {
    /// Without control characters but tabs and line feeds.
    var plainText: String {
        String(
            unicodeScalars.filter {
                $0.value >= 0x20 && $0.value != 0x7F || "\t\n".unicodeScalars.contains($0)
            })
    }

    var nonEmpty: String? { isEmpty ? nil : self }

    /// The text, if it is an absolute web address that is not too long.
    var webAddress: String? {
        guard let scheme = ["http://", "https://"].first(where: hasPrefix),
            let first = unicodeScalars.dropFirst(scheme.count).first, first != "/",
            !first.properties.isWhitespace
        else { return nil }
        return ifShort(TextLimit.encodedAddress)
    }

    /// Whether it has 64 lower-case hexadecimal digits.
    var isSHA256: Bool {
        utf8.count == 64 && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
