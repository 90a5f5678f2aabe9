internal import MediaFormat

/// The header of a JPEG, read to reject before decoding what would take too much memory or time; see ITU-T T.81, annex B.
struct JPEGHeader: Hashable, Sendable {
    /// The size of the stored picture, before its orientation is applied.
    private(set) var size: PixelSize
    /// The number of color components.
    private(set) var components: Int
    /// Whether there is an Adobe marker: then CMYK values are inverted.
    private(set) var hasAdobeMarker = false
    /// The color profile; empty if there is none.
    private(set) var profile: [UInt8] = []

    /// Real files have about ten scans; hundreds only waste processor time.
    static let maximumScans = 100
    /// The most memory for coefficients in bytes: 320 MiB are allowed to the process, which also holds the reduced
    /// picture.
    private static let maximumCoefficientBytes = 288 << 20

    /// - Throws: ``PictureError``, also for a picture that takes too much memory or time to decode.
    init(of bytes: MediaBytes) throws(PictureError) {
        var frame: Frame?
        var componentsOfFirstScan: UInt8?
        var profileParts = ColorProfile.Parts()
        walk: for segment in JPEGSegments(bytes) {
            let start = segment.contents.lowerBound
            switch segment.marker {
            case _ where segment.isFrame:
                frame = Frame(bytes, segment)
            case _ where segment.isEndOfImage || segment.isStartOfScan:
                componentsOfFirstScan = bytes.byte(start)
                break walk
            case 0xe2:  // APP2.
                profileParts.add(segment.contents, of: bytes)
            case 0xee where bytes.holds("Adobe", at: start):  // APP14.
                hasAdobeMarker = true
            default:
                break
            }
        }
        guard let frame else { throw .damaged(format: "JPEG", reason: "it has no frame") }
        profile = profileParts.joined(of: bytes)
        components = frame.factors.count
        size = try PixelSize(checking: frame.width, frame.height, of: "JPEG")
        // One scan with all components is decoded row by row.
        guard frame.isProgressive || Int(componentsOfFirstScan ?? 0) < components else { return }
        if frame.coefficientBytes > Self.maximumCoefficientBytes { throw .exceedsMemoryLimit }
        let segments = JPEGSegments(bytes).lazy.prefix { !$0.isEndOfImage }
        // A hostile file may have millions.
        let scans = Array(segments.filter { $0.isStartOfScan }.prefix(Self.maximumScans + 1))
        if scans.count > Self.maximumScans { throw .tooManyScans }
    }

    /// A start of frame; see B.2.2.
    private struct Frame {
        let isProgressive: Bool
        let width: Int
        let height: Int
        /// The sampling factors of each component.
        let factors: [(horizontal: Int, vertical: Int)]

        /// Returns `nil` if it is cut off.
        init?(_ bytes: MediaBytes, _ segment: JPEGSegments.Segment) {
            let start = segment.contents.lowerBound
            guard let height = bytes.big16(start + 1), let width = bytes.big16(start + 3),
                let count = bytes.byte(start + 5)
            else { return nil }
            isProgressive = segment.marker & 3 == 2
            self.width = width
            self.height = height
            factors = (0..<Int(count)).map { index in
                // The decoder rejects a frame without all of its components.
                let both = Int(bytes.byte(start + 7 + 3 * index) ?? 0x11)
                return (max(both >> 4, 1), max(both & 15, 1))
            }
        }

        /// The memory for the coefficients of all blocks, which libjpeg-turbo keeps until the last scan.
        var coefficientBytes: Int {
            /// The blocks along one side; a component has a multiple of its sampling factor.
            func blocks(_ length: Int, _ factor: Int, of largest: Int) -> Int {
                let count = (length * factor + 8 * largest - 1) / (8 * largest)
                return (count + factor - 1) / factor * factor
            }
            let horizontal = factors.map(\.horizontal).max() ?? 1
            let vertical = factors.map(\.vertical).max() ?? 1
            let count = factors.reduce(0) { sum, factor in
                sum + blocks(width, factor.horizontal, of: horizontal)
                    * blocks(height, factor.vertical, of: vertical)
            }
            return count * 64 * MemoryLayout<Int16>.size
        }
    }
}
