/// Recognizes the type of a file by its first bytes, whatever its name says.
extension MediaType {
    /// How many bytes of a file ``init(start:)`` needs: a JPEG may begin with stray bytes, an SVG drawing with comments.
    package static let magicLength = 1024

    /// Recognizes the type of a file that starts with `bytes`.
    ///
    /// - Throws: ``MediaHeader/Refusal``, which says what the file is instead, if the mirror does not publish its type.
    package init(start bytes: [UInt8]) throws(MediaHeader.Refusal) {
        guard !bytes.isEmpty else {
            throw .init("an empty file instead of a picture", isOtherKind: true)
        }
        if let type = MediaType(magic: bytes) {
            self = type
        } else if let markup = Markup(startingWith: bytes) {
            throw .init("\(markup.rawValue) instead of a picture", isOtherKind: markup != .drawing)
        } else {
            let firstBytes = bytes.prefix(8)
                .map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined(separator: " ")
            throw .init("an unrecognized file type (first bytes: \(firstBytes))")
        }
    }

    /// The type of a file that starts with `bytes`, of which at most ``magicLength`` are needed; `nil` if it is unknown.
    package init?(magic bytes: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        // libjpeg and browsers skip other bytes before the first segment, too.
        if bytes.starts(with: [0xff, 0xd8]), bytes.dropFirst(2).contains(0xff) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("II*\0") || has("MM\0*") {
            self = .tiff
        } else if has("ftyp", at: 4) {
            self = Self.stillPictureType(fileType: bytes) ?? (has("qt  ", at: 8) ? .mov : .mp4)
        } else if ["moov", "mdat", "wide"].contains(where: { has($0, at: 4) }) {
            // QuickTime is older than the box ftyp.
            self = .mov
        } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]),
            bytes.firstRange(of: "webm".utf8) != nil
        {
            // The head names WebM, the only Matroska that browsers play; see RFC 9559.
            self = .webm
        } else {
            return nil
        }
    }

    /// The type of a still picture by the brands in its `ftyp` box, with which the bytes begin: "avif" or "mif1, avif" is
    /// AVIF, "heic" or "mif1" is HEIC; `nil` if it is a video.
    ///
    /// See ISO 14496-12; ISO 23008-12, annex B; AV1 Image File Format, section 6.
    private static func stillPictureType(fileType bytes: [UInt8]) -> MediaType? {
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        // The length and the name of the box take eight bytes.
        var rest = bytes.prefix(length).dropFirst(8)
        var brands: [String] = []
        while rest.count >= 4 {
            brands.append(String(decoding: rest.prefix(4), as: UTF8.self))
            rest = rest.dropFirst(4)
        }
        // The major brand is the first. The second is its version, and compatible brands follow.
        guard let major = brands.first else { return nil }
        let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
        let avif: Set = ["avif", "avis"]
        if avif.contains(major) { return .avif }
        if heic.contains(major) { return .heic }
        // These brands of still pictures do not name the coding.
        guard ["mif1", "mif2", "msf1", "miaf"].contains(major) else { return nil }
        return brands.dropFirst(2).contains(where: avif.contains) ? .avif : .heic
    }
}

/// A text file that begins with a tag; servers send XML files and HTML pages for errors.
private enum Markup: String {
    case drawing = "an SVG drawing"
    case xml = "an XML file"
    case html = "an HTML page"
    /// The first bytes are only a comment or a processing instruction.
    case unknown = "a file of markup"

    /// Recognizes markup such as `<!-- icon --><svg>` and `<!DOCTYPE html>`; fails for anything else.
    init?(startingWith bytes: [UInt8]) {
        // White space, and the bytes of a byte order mark.
        let start = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
        let text = String(decoding: start, as: UTF8.self).lowercased()
        guard text.hasPrefix("<") else { return nil }
        guard let root = Self.skippingPreambles(of: Substring(text)) else {
            self = .unknown
            return
        }
        let isDrawing = ["<svg", "<!doctype svg"].contains(where: root.hasPrefix)
        self = isDrawing ? .drawing : (text.hasPrefix("<?xml") ? .xml : .html)
    }

    /// What follows the comments and processing instructions at the start of `text`; `nil` if one of them has no end.
    private static func skippingPreambles(of text: Substring) -> Substring? {
        let endsByStart = ["<!--": "-->", "<?": "?>"]
        var rest = text
        while let end = endsByStart.first(where: { rest.hasPrefix($0.key) })?.value {
            let parts = rest.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let after = parts.last else { return nil }
            rest = after.drop(while: \.isWhitespace)
        }
        return rest
    }
}
