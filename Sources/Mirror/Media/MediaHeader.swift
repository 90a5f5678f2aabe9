package import Platform

/// The type and size of a picture or video, read from its header without decoding.
///
/// Sources: ITU-T T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
package struct MediaHeader: Hashable, Sendable {
    package let type: MediaType
    /// In pixels; `nil` for a video.
    package let size: PixelSize?

    /// The maximum number of pixels: 500 million, 2 GB decoded.
    package static let maximumPixels = 500_000_000

    /// Why a file is rejected.
    package enum Refusal: Error, Hashable, Sendable {
        case empty
        case html
        case unknown(firstBytes: [UInt8])
        case damaged(MediaType)
        /// The file is truncated: see ``checkEnd(of:)``.
        case cut(MediaType)
        case tooLarge(PixelSize)
    }

    /// Reads the header of `file`; does not use or move its file offset.
    package init(reading file: borrowing FileDescriptor) throws(Refusal) {
        let bytes = FileBytes(file.rawValue)
        let start = (0..<64).compactMap(bytes.byte)
        guard !start.isEmpty else { throw .empty }
        guard let type = MediaType(magic: start) else {
            throw Self.isMarkup(start) ? .html : .unknown(firstBytes: Array(start.prefix(8)))
        }
        self.type = type
        size = bytes.pixelSize(of: type)
        guard let size else {
            // A video has no size here, but must have its movie.
            // mutation test: movie-box
            guard type == .mp4, bytes.hasMovie else { throw .damaged(type) }
            return
        }
        guard size.width > 0, size.height > 0 else { throw .damaged(type) }
        // mutation test: pixel-limit
        guard size.pixelCount <= Self.maximumPixels else { throw .tooLarge(size) }
    }

    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { $0 <= 0x20 || $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
        return text.first == UInt8(ascii: "<")
    }
}

/// Width and height in pixels.
package struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    /// Width times height; `Int.max` if the product overflows.
    package var pixelCount: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }

    package var description: String { "\(width) x \(height)" }
}

extension MediaHeader.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "an empty file instead of a picture"
        case .html: "an HTML page instead of a picture"
        case .unknown(let bytes):
            "an unrecognized file type (first bytes: \(Self.hexadecimal(bytes)))"
        case .damaged(let type):
            "a damaged \(type.rawValue): no \(type == .mp4 ? "movie" : "size") in its header"
        case .cut(let type): "a truncated \(type.rawValue)"
        case .tooLarge(let size):
            "too large: \(size) pixels; the limit is \(MediaHeader.maximumPixels / 1_000_000) million"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
