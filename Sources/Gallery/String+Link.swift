extension String {
    /// The path as a relative link has it: all but letters, digits and `- . _ ~ /` percent-encoded.
    ///
    /// See RFC 3986, section 2.1; a colon in the first part would make it an address, section 4.2.
    var asLink: String {
        var link: [UInt8] = []
        link.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                link.append(byte)
            default:
                link += [
                    UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)],
                ]
            }
        }
        return String(decoding: link, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The address where it leads to a web server and nowhere else; `nil` for `javascript:` and the like.
    var asWebAddress: String? {
        let start = prefix(8).lowercased()
        if start.hasPrefix("//") { return "https:" + self }
        return start.hasPrefix("https://") || start.hasPrefix("http://") ? self : nil
    }
}
