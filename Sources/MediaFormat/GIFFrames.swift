/// Finds the images in a GIF, of which an animation has several; see GIF89a, section 20 and appendix A.
struct GIFFrames {
    private var rest: MediaBytes
    /// Whether the images ended as a GIF ends, after ``next()`` returned `nil`.
    ///
    /// A GIF ends with a trailer. Browsers also accept the end of the file, and a byte that begins no block.
    private(set) var hasEnd = false

    init(_ bytes: MediaBytes) {
        rest = bytes
        // The signature and the description of the screen, which has its flags in byte 10.
        rest.skip(13)
        rest.skip(Self.colorTableLength(flags: bytes.byte(10) ?? 0))
    }

    /// The length in bytes of the color table that the flags announce: 768 for 256 colors, 0 if there is none.
    private static func colorTableLength(flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7)
    }

    /// Returns the bytes from the next image on, of which the first are left, top, width and height; `nil` at the end.
    ///
    /// The caller must call ``skipData()`` before it asks for another image.
    mutating func next() -> MediaBytes? {
        while let kind = rest.byte(0) {
            switch kind {
            case 0: rest.skip(1)  // Some programs write zeros between blocks.
            case 0x21:  // An extension: its label, then data blocks.
                guard rest.skip(2), skipData() else { return nil }
            case 0x2c:  // An image: its description, colors, and a code size before its data.
                guard let image = rest.part(from: 1), let flags = image.byte(8),
                    rest.skip(11), rest.skip(Self.colorTableLength(flags: flags))
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
    /// - Returns: Whether the data are complete.
    mutating func skipData() -> Bool {
        while let length = rest.byte(0), rest.skip(Int(length) &+ 1) {
            if length == 0 { return true }
        }
        return false
    }
}

extension MediaBytes {
    /// The size of a GIF: that of its screen, or more if its first image that is not empty extends beyond it, as in browsers.
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

    /// Whether there is at least one image, and none is cut off.
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
