internal import Platform

/// Removes from NASA's HTML what WordPress adds to the text.
extension String {
    /// This HTML without the files in it: `<img src="data:image/png;base64,AAAA">` becomes `<img src="">`.
    var withoutInlineFiles: String {
        guard contains(bytes: "data:") else { return self }
        let (starts, ends) = (Array("\"'=(".utf8), Array("\"'<>) ".utf8))
        var (kept, rest) = ([UInt8](), Array(utf8)[...])
        while let word = rest.firstRange(of: Array("data:".utf8)) {
            // In prose, a blank is before the word.
            let isFile = rest[..<word.lowerBound].last.map(starts.contains) ?? false
            kept += rest[..<(isFile ? word.lowerBound : word.upperBound)]
            rest = rest[word.upperBound...]
            if isFile { rest = rest.drop { !ends.contains($0) } }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }

    /// This HTML without captions of pictures, such as `[caption id="1"]<img src="a.jpg"> text[/caption]`.
    var withoutCaptions: String {
        guard utf8.contains(UInt8(ascii: "[")) else { return self }
        var text = self
        while let start = text.firstRange(of: "[caption")?.lowerBound,
            // If the end is missing, only the mark `[caption id="1"]` is removed.
            let end = ["[/caption]", "]"].lazy.compactMap({
                text[start...].firstRange(of: $0)?.upperBound
            }).first
        {
            text.removeSubrange(start..<end)
        }
        return text
    }
}
