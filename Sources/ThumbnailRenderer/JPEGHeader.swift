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
                profileParts.add(segment.contents)
            case 0xee where segment.contents.begins(with: "Adobe"):  // APP14.
                hasAdobeMarker = true
            default:
                break
            }
        }
        // The precision of samples, which is first, takes one byte; see B.2.2.
        guard let frame = frame?.contents, let height = frame.big16(1),
            let width = frame.big16(3), let count = frame.byte(5)
        else { throw .damaged(format: "JPEG", reason: "it has no frame") }
        profile = profileParts.joined
        components = Int(count)
        size = try PixelSize(checking: width, height, of: "JPEG")
    }
}
