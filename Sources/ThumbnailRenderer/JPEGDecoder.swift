internal import CTurboJPEG
internal import MediaFormat

/// Decodes a JPEG at a reduced size with libjpeg-turbo.
enum JPEGDecoder {
    /// Decodes a whole file, with a longer side of at most `side` pixels; if the file is cut off, the rest is gray.
    static func pixels(
        of bytes: Span<UInt8>, _ header: JPEGHeader, fittedTo side: Int
    ) throws(PictureError) -> PixelBuffer {
        // libjpeg divides the size by 2, 4 or 8 while it decodes: half the size takes a quarter of the time. The Downsampler
        // does the rest. For good results, it needs a picture that is half as large again as its output.
        let sufficientSide = side + side / 2
        let divisor = [8, 4, 2].first { header.size.longSide / $0 >= sufficientSide } ?? 1
        // TJSCALED() rounds up, too.
        let size = PixelSize(
            width: (header.size.width + divisor - 1) / divisor,
            height: (header.size.height + divisor - 1) / divisor)
        let isCMYK = header.components == 4
        var pixels = try decode(bytes, size, isCMYK ? TJPF_CMYK : TJPF_RGB)
        if isCMYK { pixels = rgb(ofCMYK: pixels, isInverted: header.hasAdobeMarker) }
        return PixelBuffer(size, bytes: pixels).reduced(to: header.size.fitted(to: side))
    }

    private static func decode(
        _ bytes: Span<UInt8>, _ size: PixelSize, _ format: TJPF
    ) throws(PictureError) -> [UInt8] {
        guard let handle = unsafe tjInitDecompress() else { throw .exceedsMemoryLimit }
        defer { unsafe tjDestroy(handle) }
        let count = size.width * size.height * (format == TJPF_CMYK ? 4 : 3)
        var pixels = [UInt8](repeating: 0, count: count)
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe tjDecompress2(
                handle, bytes.baseAddress, UInt(bytes.count), &pixels, CInt(size.width), 0,
                CInt(size.height), CInt(format.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
        }
        // The picture of a file that is cut off comes with a warning.
        let isWarning = unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
        if code != 0, !isWarning {
            let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? ""
            throw text.contains("memory")
                ? .exceedsMemoryLimit : .damaged(format: "JPEG", reason: text)
        }
        return pixels
    }

    /// Converts the four inks of each pixel to RGB; if the values are inverted, as Adobe stores them, 0 is full ink.
    private static func rgb(ofCMYK inks: [UInt8], isInverted: Bool) -> [UInt8] {
        let flip: UInt8 = isInverted ? 0 : 255
        var pixels: [UInt8] = []
        pixels.reserveCapacity(inks.count / 4 * 3)
        for start in stride(from: 0, to: inks.count, by: 4) {
            // The parts of the light that the black ink, and then each of the others, leaves: 255 is all of it.
            let black = UInt32(inks[start + 3] ^ flip)
            for ink in 0..<3 {
                let color = UInt32(inks[start + ink] ^ flip)
                pixels.append(UInt8((color * black + 127) / 255))
            }
        }
        return pixels
    }
}

/// What the header of a JPEG says about its pixels and their colors; see ITU-T T.81, annex B.
struct JPEGHeader: Hashable, Sendable {
    /// The size of the stored picture, before its orientation is applied.
    let size: PixelSize
    /// The number of color components.
    let components: Int
    /// Whether there is an Adobe marker, so that CMYK values are inverted.
    private(set) var hasAdobeMarker = false
    /// The color profile; empty if there is none.
    let profile: [UInt8]

    init(of bytes: MediaBytes) throws(PictureError) {
        var frame: JPEGSegments.Segment?
        var profileParts = ColorProfile.Parts()
        walk: for segment in JPEGSegments(bytes) {
            switch segment.marker {
            case _ where segment.isFrame:
                frame = segment
            case _ where segment.isEndOfImage || segment.isStartOfScan:
                break walk
            case 0xe2:  // APP2.
                profileParts.add(segment.contents)
            case 0xee where segment.contents.begins(with: "Adobe"):  // APP14.
                hasAdobeMarker = true
            default:
                break
            }
        }
        // The first byte is the precision of samples; see B.2.2.
        guard let frame = frame?.contents, let height = frame.big16(1),
            let width = frame.big16(3), let count = frame.byte(5)
        else { throw .damaged(format: "JPEG", reason: "it has no frame") }
        profile = profileParts.joined
        components = Int(count)
        size = try PixelSize(checking: width, height, of: "JPEG")
    }
}
