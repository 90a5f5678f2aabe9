internal import Platform

/// Removes from NASA's HTML what is no text: the files and captions that WordPress puts into it.
extension String {
    /// This HTML without the files that `data:` URLs contain: `<img src="data:image/png;base64,AAAA">` becomes `<img src="">`.
    var withoutInlineFiles: String {
        guard contains(bytes: "data:") else { return self }
        var kept: [UInt8] = []
        var rest = Array(utf8)[...]
        while let scheme = rest.firstRange(of: Array("data:".utf8)) {
            // A URL follows a quote, the `=` of an attribute or the `(` of a style. In prose, the word follows a blank.
            let isURL = rest[..<scheme.lowerBound].last.map("\"'=(".utf8.contains) ?? false
            kept += rest[..<(isURL ? scheme.lowerBound : scheme.upperBound)]
            rest = rest[scheme.upperBound...]
            if isURL { rest = rest.drop { !"\"'<>) ".utf8.contains($0) } }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }

    /// This HTML without captions, such as `[caption id="1"]<img src="a.jpg"> text[/caption]`.
    ///
    /// A `[caption id="1"]` or `[/caption]` without its counterpart is removed alone; the text around it stays.
    var withoutCaptions: String {
        var kept: [UInt8] = []
        /// The length of `kept` where the latest caption began; `nil` if it has ended.
        var captionStart: Int?
        var rest = Array(utf8)[...]
        while let bracket = rest.firstIndex(of: UInt8(ascii: "[")) {
            kept += rest[..<bracket]
            rest = rest[bracket...]
            if rest.starts(with: "[/caption]".utf8) {
                kept.removeSubrange((captionStart ?? kept.count)...)
                captionStart = nil
                rest = rest.dropFirst("[/caption]".utf8.count)
            } else if rest.starts(with: "[caption".utf8),
                let end = rest.firstIndex(of: UInt8(ascii: "]"))
            {
                captionStart = kept.count
                rest = rest[(end + 1)...]
            } else {
                kept.append(rest.removeFirst())
            }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }
}
