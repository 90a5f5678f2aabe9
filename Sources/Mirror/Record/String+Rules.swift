internal import APOD

/// The rules for the texts and addresses of a record: see ``EntryText/normalize()``.
extension String {
    /// The text without control characters, except tabs and line feeds.
    var plainText: String {
        // All bytes of a character that is not ASCII are above 0x7F: see RFC 3629.
        let isRemoved = { (byte: UInt8) in
            let isControl = byte < 0x20 || byte == 0x7F
            return isControl && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n")
        }
        guard utf8.contains(where: isRemoved) else { return self }
        return String(decoding: utf8.filter { !isRemoved($0) }, as: UTF8.self)
    }

    var nonEmpty: String? { isEmpty ? nil : self }

    /// The text; `nil` if it is not an absolute web address such as `https://apod.nasa.gov/`, or if it is too long.
    var webAddress: String? {
        guard let scheme = ["http://", "https://"].first(where: hasPrefix),
            let first = unicodeScalars.dropFirst(scheme.count).first, first != "/",
            !first.properties.isWhitespace
        else { return nil }
        return unlessLonger(than: TextLimit.encodedAddress)
    }
}
