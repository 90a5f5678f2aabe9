internal import Platform

extension String {
    /// This HTML without the files that `data:` URLs contain: `<img src="data:image/png;base64,AAAA">` becomes `<img src="">`.
    var withoutInlineFiles: String {
        guard contains(bytes: "data:") else { return self }
        var kept: [UInt8] = []
        var rest = Array(utf8)[...]
        while let scheme = rest.firstRange(of: Array("data:".utf8)) {
            // A URL follows a quote, the `=` of an attribute or the `(` of a style. In prose, the word follows a blank.
            let previous = rest[..<scheme.lowerBound].last ?? UInt8(ascii: " ")
            let isURL = "\"'=(".utf8.contains(previous)
            kept += rest[..<(isURL ? scheme.lowerBound : scheme.upperBound)]
            rest = rest[scheme.upperBound...]
            if isURL { rest = rest.drop { !"\"'<>) ".utf8.contains($0) } }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }
}
