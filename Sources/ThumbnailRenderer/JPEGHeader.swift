internal import MediaFormat

/// What the header of a JPEG says about its pixels and their colors; see ITU-T T.81, annex B.
struct JPEGHeader: Hashable, Sendable {
    /// The size of the stored picture, before its orientation is applied.
    let size: PixelSize
    /// The number of color components.
    let components: Int
    /// Whether there is an Adobe marker: then CMYK values are inverted.
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
                profileParts.add(segment.contents, of: bytes)
            case 0xee where bytes.holds("Adobe", at: segment.contents.lowerBound):  // APP14.
                hasAdobeMarker = true
            default:
                break
            }
        }
        // The precision of samples, which is first, takes one byte; see B.2.2.
        guard let start = frame?.contents.lowerBound, let height = bytes.big16(start + 1),
            let width = bytes.big16(start + 3), let count = bytes.byte(start + 5)
        else { throw .damaged(format: "JPEG", reason: "it has no frame") }
        profile = profileParts.joined(of: bytes)
        components = Int(count)
        size = try PixelSize(checking: width, height, of: "JPEG")
    }
}
