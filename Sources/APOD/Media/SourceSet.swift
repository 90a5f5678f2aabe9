/// The value of a `srcset` in HTML: the URLs of one picture in several sizes, such as `a.jpg 300w, b.jpg 1024w`.
///
/// Source: the HTML standard, 4.8.4.2.
struct SourceSet {
    private struct Picture {
        let url: Substring
        /// The width in pixels, or the density; a list has only one of the two, so that its sizes can be compared.
        var size = 1.0
    }

    private var pictures: [Picture] = []

    init(_ text: String) {
        /// Whether the next word may be the size of the last picture.
        var isSizeNext = false
        for word in text.split(whereSeparator: \.isWhitespace) {
            // A URL may contain commas; only a comma at its end separates it from the next one.
            let hasComma = word.hasSuffix(",")
            let content = hasComma ? word.dropLast() : word
            if isSizeNext, let last = pictures.indices.last {
                // A size is a number and a letter.
                pictures[last].size = Double(content.dropLast()) ?? 1
                isSizeNext = false
            } else {
                pictures.append(Picture(url: content))
                isSizeNext = !hasComma
            }
        }
    }

    /// The URL of the largest picture: `b.jpg` in `a.jpg 300w, b.jpg 1024w`; `nil` if there is none.
    var largest: String? {
        pictures.max { $0.size < $1.size }.map { String($0.url) }
    }
}
