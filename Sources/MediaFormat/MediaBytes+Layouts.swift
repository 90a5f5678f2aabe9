/// The parsers of the pictures that consist of ``MediaChunks``: PNG, WebP and HEIF, the container of AVIF and HEIC.
///
/// A layout says how large a picture is, and how it is stored; it is `nil` if the size is missing or invalid. Arithmetic wraps,
/// because an overflow would end the process.
extension MediaBytes {
    /// The layout of a PNG, by the chunks before its pixels; see PNG 11.2.2.
    func pngLayout() -> MediaLayout? {
        // The first chunk, IHDR, begins with the size. The signature and the head of the chunk, with 8 bytes each, come before.
        var layout = MediaLayout(width: big32(16), height: big32(20))
        for chunk in pngChunks(limit: Self.maximumParts) {
            switch chunk.name {
            case "IDAT": return layout
            case "eXIf": layout?.orientation = Orientation(exif: chunk.contents) ?? .upright
            case "acTL": layout?.isAnimated = true
            default: break
            }
        }
        return layout
    }

    /// The layout of a WebP, by its first chunk; see RFC 9649, sections 2.5 to 2.7.
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

    /// The layout of an AVIF or HEIC: the largest size of its `ispe` boxes, turned by its `irot` box.
    ///
    /// Smaller sizes are those of tiles and thumbnails. The boxes (ImageSpatialExtents and ImageRotation) are in ipco, in
    /// iprp, in meta; see ISO 23008-12, sections 6.5.3 and 6.5.10.
    func heifLayout() -> MediaLayout? {
        // A version and flags, four bytes, are at the start of meta and ispe. In ispe, width and height follow.
        let meta = contents(ofBox: "meta")?.part(from: 4)
        guard let properties = meta?.contents(ofBox: "iprp")?.contents(ofBox: "ipco") else {
            return nil
        }
        let sizes = properties.boxes.filter { $0.name == "ispe" }.map(\.contents)
        let layouts = sizes.compactMap { MediaLayout(width: $0.big32(4), height: $0.big32(8)) }
        var largest = layouts.max { $0.size.pixelCount < $1.size.pixelCount }
        let quarterTurns = properties.contents(ofBox: "irot")?.byte(0) ?? 0
        // An odd number exchanges width and height. The direction does not matter, because nothing decodes these formats.
        if quarterTurns & 1 == 1 { largest?.orientation = .onRightSide }
        return largest
    }

    /// The contents of the first box of this name; `nil` if there is none.
    private func contents(ofBox name: String) -> MediaBytes? {
        boxes.first { $0.name == name }?.contents
    }
}
