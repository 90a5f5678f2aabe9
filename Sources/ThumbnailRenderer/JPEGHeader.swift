/// The header of a JPEG, read to reject before decoding what would take too much memory or time; see ITU-T T.81, annex B.
///
/// Markers are found as libjpeg finds them, so that both see the same picture.
struct JPEGHeader: Hashable, Sendable {
    private(set) var size: PictureSize
    /// The number of colour components.
    private(set) var components: Int
    private(set) var orientation = Orientation.upright
    /// Whether there is an Adobe marker: then CMYK values are inverted.
    private(set) var hasAdobeMarker = false

    /// Real files have about ten scans; hundreds only waste processor time.
    static let maximumScans = 100
    /// The most memory for coefficients in bytes: 320 MiB are allowed to the process, which also holds the reduced
    /// picture.
    private static let maximumCoefficientBytes = 288 << 20

    /// - Throws: ``PictureError``, also for a picture that takes too much memory or time to decode.
    init(of bytes: Span<UInt8>) throws(PictureError) {
        var frame: Frame?
        // After the start of the image.
        var offset = 2
        walk: while let marker = bytes.bigEndian(at: offset, 2) {
            switch marker & 0xff {
            case _ where marker >> 8 != 0xff, 0x00, 0xff:  // Not a marker, or a fill byte.
                offset += 1
                continue
            case 0x01, 0xd0...0xd8:  // Markers without a length.
                offset += 2
                continue
            case 0xd9, 0xda:  // The end of the image, or the start of the first scan.
                break walk
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:  // A start of frame.
                guard let found = Frame(bytes, at: offset) else { break walk }
                frame = found
            case 0xe1 where bytes.holds("Exif\0\0", at: offset + 4):  // APP1.
                // After marker, length and name.
                let start = offset + 10
                let end = offset + 2 + (bytes.bigEndian(at: offset + 2, 2) ?? 0)
                let exif = bytes.extracting(start..<min(max(end, start), bytes.count))
                orientation = Orientation(exif: exif) ?? orientation
            case 0xee where bytes.holds("Adobe", at: offset + 4):  // APP14.
                hasAdobeMarker = true
            default:
                break
            }
            // The decoder rejects a broken length.
            guard let length = bytes.bigEndian(at: offset + 2, 2), length >= 2 else { break walk }
            offset += 2 + length
        }
        guard let frame else {
            throw .damaged(format: PictureFormat.jpeg.rawValue, reason: "it has no frame")
        }
        components = frame.factors.count
        size = try PictureSize(checking: frame.width, frame.height, of: .jpeg)
        let componentsOfFirstScan = bytes.bigEndian(at: offset + 4, 1) ?? components
        // One scan with all components is decoded row by row.
        guard frame.isProgressive || componentsOfFirstScan < components else { return }
        if frame.coefficientBytes > Self.maximumCoefficientBytes { throw .exceedsMemoryLimit }
        if Self.hasTooManyScans(bytes.extracting(droppingFirst: min(offset, bytes.count))) {
            throw .tooManyScans
        }
    }

    /// What follows a start-of-frame marker; see B.2.2.
    private struct Frame {
        let isProgressive: Bool
        let width: Int
        let height: Int
        /// The sampling factors of each component.
        let factors: [(horizontal: Int, vertical: Int)]

        /// Reads the frame whose marker is at `offset`; `nil` if it is cut off.
        init?(_ bytes: Span<UInt8>, at offset: Int) {
            guard let marker = bytes.bigEndian(at: offset, 2),
                let height = bytes.bigEndian(at: offset + 5, 2),
                let width = bytes.bigEndian(at: offset + 7, 2),
                let count = bytes.bigEndian(at: offset + 9, 1)
            else { return nil }
            isProgressive = marker & 3 == 2
            self.width = width
            self.height = height
            factors = (0..<count).map { index in
                // The decoder rejects a frame without all of its components.
                let both = bytes.bigEndian(at: offset + 11 + 3 * index, 1) ?? 0x11
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

    /// Counts SOS markers, which cannot occur inside scan data.
    private static func hasTooManyScans(_ bytes: Span<UInt8>) -> Bool {
        var scans = 0
        for index in bytes.indices.dropFirst() where bytes[index] == 0xda {
            if bytes[index - 1] == 0xff { scans += 1 }
            if scans > maximumScans { return true }
        }
        return false
    }
}
