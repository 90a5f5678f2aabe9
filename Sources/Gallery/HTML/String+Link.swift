extension String {
    /// The path as a relative link has it: all but letters, digits and `- . _ ~ /` percent-encoded.
    ///
    /// See RFC 3986, section 2.1; a colon in the first part would make it an address, section 4.2.
    var asLink: String { percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "/") } }

    private func percentEncoded(but isKept: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isKept) else { return self }
        var text: [UInt8] = []
        text.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            if isKept(byte) {
                text.append(byte)
            } else {
                let digits = (Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)])
                text += [UInt8(ascii: "%"), digits.0, digits.1]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The address where it leads to a web server and nowhere else; not so `javascript:` and the like.
    var asWebAddress: String? {
        let address = hasPrefix("//") ? "https:" + self : self
        guard address.isWebAddress || address.prefix(8).lowercased().isWebAddress else {
            return nil
        }
        return address.percentEncoded { $0.isUnreserved || $0.isDelimiter }
    }

    private var isWebAddress: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

extension UInt8 {
    /// Whether it means itself everywhere in an address; see RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether it has a meaning in an address, or encodes; see RFC 3986, section 2.2.
    fileprivate var isDelimiter: Bool { ":/?#[]@!$&'()*+,;=%".utf8.contains(self) }
}
