/// The images of a GIF; see GIF89a, section 20 and appendix A.
struct GIFFrames {
    private let bytes: MediaBytes
    private var offset: Int
    /// Whether the latest image was followed by the trailer, by the end of the file, or by what begins no block: browsers
    /// take all of them for the trailer.
    private(set) var hasEnd = false

    init(_ bytes: MediaBytes) {
        self.bytes = bytes
        // The signature and the description of the screen take 13 bytes.
        offset = 13 + Self.colorTable(bytes.byte(10) ?? 0)
    }

    /// The bytes of the color table that the flags announce: three for each color.
    private static func colorTable(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Returns where the description of the next image begins, before its data; `nil` at the end.
    mutating func next() -> Int? {
        while let kind = bytes.byte(offset) {
            let start = offset
            switch kind {
            case 0: offset += 1  // Some programs write zeros between blocks.
            case 0x21:  // An extension: its label, then data blocks.
                offset += 2
                guard skipData() else { return nil }
            case 0x2c:  // An image: its description, and the code size before its data blocks.
                guard let flags = bytes.byte(offset + 9) else { return nil }
                offset += 11 + Self.colorTable(flags)
                return start + 1
            default:  // The trailer, or anything else.
                hasEnd = true
                return nil
            }
        }
        hasEnd = true
        return nil
    }

    /// Skips the data of the image that ``next()`` returned.
    ///
    /// Data blocks have a length each; the length 0 ends them. Returns `false` if the file ends before.
    mutating func skipData() -> Bool {
        while let length = bytes.byte(offset) {
            offset += 1 + Int(length)
            if length == 0 { return true }
        }
        return false
    }
}

extension MediaBytes {
    /// The screen, enlarged by the first image as in browsers.
    func gifLayout() -> MediaLayout? {
        var frames = GIFFrames(self)
        guard let frame = frames.next(), let width = little16(6), let height = little16(8),
            let left = little16(frame), let top = little16(frame + 2),
            let frameWidth = little16(frame + 4), let frameHeight = little16(frame + 6),
            frameWidth > 0, frameHeight > 0
        else { return nil }
        return MediaLayout(
            width: max(width, left + frameWidth), height: max(height, top + frameHeight))
    }

    /// Whether all images are whole, and there is at least one.
    func isWholeGIF() -> Bool {
        var frames = GIFFrames(self)
        var count = 0
        while frames.next() != nil {
            guard frames.skipData() else { return false }
            count += 1
        }
        return count > 0 && frames.hasEnd
    }
}
