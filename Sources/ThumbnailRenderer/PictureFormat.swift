/// The format of a picture, by its first bytes.
enum PictureFormat: String, Hashable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
    case webp = "WebP"

    /// Takes the complete file.
    init(of bytes: Span<UInt8>) throws(PictureError) {
        if bytes.isEmpty {
            throw .empty
        } else if bytes.holds([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.holds([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.holds("GIF87a") || bytes.holds("GIF89a") {
            self = .gif
        } else if bytes.holds("RIFF"), bytes.holds("WEBP", at: 8) {
            self = .webp
        } else {
            throw .unknown
        }
    }
}

/// Width and height in pixels.
package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    /// The maximum number of pixels, the same as in the mirror.
    static let maximumPixels = 500_000_000

    var longSide: Int { max(width, height) }

    var extent: SIMD2<Double> { SIMD2(Double(width), Double(height)) }

    /// The size scaled down to a longer side of at most `side`.
    func fitted(to side: Int) -> PictureSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    package var description: String { "\(width) x \(height)" }
}

extension PictureSize {
    /// Checks before decoding that there are pixels, and not too many.
    init(checking width: Int, _ height: Int, of format: PictureFormat) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: format.rawValue, reason: "its header gives no size")
        }
        let (pixels, isOverflow) = width.multipliedReportingOverflow(by: height)
        guard !isOverflow, pixels <= Self.maximumPixels else { throw .tooLarge(self) }
    }
}

/// Why no thumbnail can be made of a file.
package enum PictureError: Error, Hashable, Sendable {
    case empty
    case unknown
    case tooLarge(PictureSize)
    case tooManyScans
    /// Decoding exceeds the memory limit.
    case noMemory
    /// The machine is out of memory; a retry may succeed.
    case outOfMemory
    /// The decoder reports an error.
    case damaged(format: String, reason: String)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the file is empty"
        case .unknown: "not a JPEG, PNG, GIF or WebP file"
        case .tooLarge(let size):
            "\(size) pixels; the limit is \(PictureSize.maximumPixels / 1_000_000) million"
        case .tooManyScans: "a JPEG of more than \(JPEGHeader.maximumScans) scans"
        case .noMemory: "decoding exceeds the memory limit"
        case .outOfMemory: "not enough memory to decode the picture"
        case .damaged(let format, let reason): "a damaged \(format): \(reason)"
        }
    }
}

/// Reads numbers from headers; `nil` past the end.
extension Span<UInt8> {
    func holds(_ text: StaticString, at offset: Int = 0) -> Bool {
        holds(text.description.utf8, at: offset)
    }

    func holds(_ expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count, count - offset >= expected.count else { return false }
        return expected.enumerated().allSatisfy { self[offset + $0.offset] == $0.element }
    }

    func bigEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }

    func littleEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
