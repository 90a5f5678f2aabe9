/// The images of a GIF; see GIF89a, section 20 and appendix A.
struct GIFFrames {
    private var rest: MediaBytes
    /// Whether the trailer followed the latest image, or the end of the file, or a byte that begins no block: browsers take
    /// all of these for the trailer.
    private(set) var hasEnd = false

    init(_ bytes: MediaBytes) {
        rest = bytes
        // The signature and the description of the screen.
        rest.skip(13)
        rest.skip(Self.colorTable(bytes.byte(10) ?? 0))
    }

    /// The bytes of the color table that the flags announce: 768 for 256 colors.
    private static func colorTable(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7)
    }

    /// Returns the next image: its description, which begins with left, top, width and height, and all that follows it;
    /// `nil` at the end.
    mutating func next() -> MediaBytes? {
        while let kind = rest.byte(0) {
            switch kind {
            case 0: rest.skip(1)  // Some programs write zeros between blocks.
            case 0x21:  // An extension: its label, then data blocks.
                guard rest.skip(2), skipData() else { return nil }
            case 0x2c:  // An image: its description, colors, and a code size before its data.
                guard let image = rest.part(from: 1), let flags = image.byte(8),
                    rest.skip(11), rest.skip(Self.colorTable(flags))
                else { return nil }
                return image
            default:  // The trailer, or anything else.
                hasEnd = true
                return nil
            }
        }
        hasEnd = true
        return nil
    }

    /// Skips the data of the image that ``next()`` returned: blocks that begin with their length, up to a block of length 0.
    ///
    /// - Returns: `false` if the file ends before.
    mutating func skipData() -> Bool {
        while let length = rest.byte(0), rest.skip(Int(length) &+ 1) {
            if length == 0 { return true }
        }
        return false
    }
}

extension MediaBytes {
    /// The size of a GIF: its screen, enlarged by the first image that is not empty, as in browsers.
    func gifLayout() -> MediaLayout? {
        var frames = GIFFrames(self)
        while let frame = frames.next() {
            guard let left = frame.little16(0), let top = frame.little16(2),
                let width = frame.little16(4), let height = frame.little16(6)
            else { return nil }
            if width > 0, height > 0, let screenWidth = little16(6), let screenHeight = little16(8)
            {
                return MediaLayout(
                    width: max(screenWidth, left &+ width), height: max(screenHeight, top &+ height)
                )
            }
            guard frames.skipData() else { return nil }
        }
        return nil
    }

    /// Whether all images are whole, and there is at least one.
    func isWholeGIF() -> Bool {
        var frames = GIFFrames(self)
        var hasImage = false
        while frames.next() != nil {
            guard frames.skipData() else { return false }
            hasImage = true
        }
        return hasImage && frames.hasEnd
    }
}
