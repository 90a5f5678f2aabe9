/// Finds the frames of a GIF, of which an animation has several; see GIF89a, section 20 and appendix A.
struct GIFFrames {
    /// The place of a frame on the screen of the GIF, in pixels.
    struct Frame {
        let left, top, width, height: Int
    }

    private static let extensionBlock: UInt8 = 0x21
    private static let imageBlock: UInt8 = 0x2c

    private var rest: MediaBytes
    /// Whether ``rest`` begins with the data of the frame that ``next()`` returned.
    private var isBeforeData = false
    /// Whether the frames ended as a GIF ends, after ``next()`` returned `nil`; otherwise something is cut off.
    ///
    /// A GIF ends with a trailer. Browsers also accept the end of the file, and a byte that begins no block.
    private(set) var endsProperly = false

    init(_ bytes: MediaBytes) {
        rest = bytes
        // The signature takes 6 bytes, the description of the screen 7: width, height, flags (in byte 10) and two more bytes.
        rest.skip(13)
        rest.skip(Self.colorTableLength(flags: bytes.byte(10) ?? 0))
    }

    /// The length in bytes of the color table that the flags announce: 6 for 2 colors, 768 for 256 colors, 0 if there is none.
    private static func colorTableLength(flags: UInt8) -> Int {
        let hasTable = flags & 0x80 != 0
        return hasTable ? 6 << Int(flags & 7) : 0
    }

    /// Returns the next frame; `nil` at the end, and if the data of the frame before are cut off.
    mutating func next() -> Frame? {
        if isBeforeData {
            isBeforeData = false
            guard skipData() else { return nil }
        }
        while let kind = rest.byte(0) {
            switch kind {
            case 0: rest.skip(1)  // Some programs write zeros between blocks.
            case Self.extensionBlock:  // Two bytes, its kind and its label, then data.
                guard rest.skip(2), skipData() else { return nil }
            case Self.imageBlock: return readFrame()
            default:
                endsProperly = true
                return nil
            }
        }
        endsProperly = true
        return nil
    }

    /// Reads an image block up to its data: its kind, its description in nine bytes, its colors, and a code size.
    private mutating func readFrame() -> Frame? {
        guard let left = rest.little16(1), let top = rest.little16(3),
            let width = rest.little16(5), let height = rest.little16(7), let flags = rest.byte(9),
            rest.skip(11), rest.skip(Self.colorTableLength(flags: flags))
        else { return nil }
        isBeforeData = true
        return Frame(left: left, top: top, width: width, height: height)
    }

    /// Skips data: blocks that begin with their length, up to a block of length 0; returns whether they are complete.
    private mutating func skipData() -> Bool {
        while let length = rest.byte(0), rest.skip(Int(length) &+ 1) {
            if length == 0 { return true }
        }
        return false
    }
}

extension MediaBytes {
    /// The size of a GIF: that of its screen, or more if its first frame that is not empty extends beyond it, as in browsers.
    func gifLayout() -> MediaLayout? {
        var frames = GIFFrames(self)
        while let frame = frames.next() {
            let isEmpty = frame.width == 0 || frame.height == 0
            guard !isEmpty, let width = little16(6), let height = little16(8) else { continue }
            return MediaLayout(
                width: max(width, frame.left &+ frame.width),
                height: max(height, frame.top &+ frame.height))
        }
        return nil
    }

    /// Whether there is at least one frame, and none is cut off.
    func isWholeGIF() -> Bool {
        var frames = GIFFrames(self)
        var hasFrame = false
        while frames.next() != nil { hasFrame = true }
        return hasFrame && frames.endsProperly
    }
}
