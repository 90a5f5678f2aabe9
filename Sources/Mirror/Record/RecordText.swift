internal import APOD

/// The rules for the texts of a record.
extension String {
    /// Without control characters but tabs and line feeds.
    var plainText: String {
        // No byte of a longer character is in this range; see RFC 3629.
        let isRemoved = { (byte: UInt8) in
            byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
        }
        guard utf8.contains(where: isRemoved) else { return self }
        return String(decoding: utf8.filter { !isRemoved($0) }, as: UTF8.self)
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
    package var isSHA256: Bool {
        utf8.count == 64 && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
