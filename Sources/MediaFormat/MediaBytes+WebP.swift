/// Reads the chunks of a WebP; see RFC 9649.
extension MediaBytes {
    /// The layout of a WebP, by its first chunk; see sections 2.5 to 2.7.
    func webPLayout() -> MediaLayout? {
        var chunks = webPChunks
        guard let first = chunks.next() else { return nil }
        switch first.name {
        case "VP8 ": return first.contents.lossyWebPLayout()
        case "VP8L": return first.contents.losslessWebPLayout()
        case "VP8X":
            var layout = first.contents.extendedWebPLayout()
            let exif = chunks.first { $0.name == "EXIF" }
            layout?.orientation = exif.flatMap { Orientation(exif: $0.contents) } ?? .upright
            return layout
        default: return nil
        }
    }

    /// Width and height have 14 bits each, after the frame tag and the start code, of three bytes each.
    private func lossyWebPLayout() -> MediaLayout? {
        guard let width = little16(6), let height = little16(8) else { return nil }
        return MediaLayout(width: width & 0x3fff, height: height & 0x3fff)
    }

    /// Width and height have 14 bits each, stored less one, after the signature of one byte.
    private func losslessWebPLayout() -> MediaLayout? {
        guard let bits = little32(1) else { return nil }
        let width = (bits & 0x3fff) &+ 1
        let height = ((bits >> 14) & 0x3fff) &+ 1
        return MediaLayout(width: width, height: height)
    }

    /// Width and height of the canvas have 24 bits each, stored less one, after a byte of flags and three reserved bytes.
    private func extendedWebPLayout() -> MediaLayout? {
        guard let flags = byte(0), let width = little24(4), let height = little24(7) else {
            return nil
        }
        var layout = MediaLayout(width: width &+ 1, height: height &+ 1)
        let animationFlag: UInt8 = 2
        layout?.isAnimated = flags & animationFlag != 0
        return layout
    }

    /// The color profile of a WebP; `nil` if it has none.
    package func webPProfile() -> MediaBytes? {
        webPChunks.first { $0.name == "ICCP" }?.contents
    }

    /// Whether the file is as long as its first bytes say.
    func isWholeWebP() -> Bool {
        guard let length = little32(4), let contents = part(from: 8) else { return false }
        return length <= contents.count
    }

    /// The chunks of the file; twelve bytes that all WebP files have come before them.
    private var webPChunks: MediaChunks {
        MediaChunks(.webP, in: part(from: 12), limit: Self.maximumParts)
    }
}
