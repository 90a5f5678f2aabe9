internal import Glibc
package import Platform

/// What the header of a picture or video says, read without decoding anything.
///
/// Sources: ITU-T T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
package struct MediaHeader: Hashable, Sendable {
    package let type: MediaType
    /// In pixels; `nil` for a video.
    package let size: PixelSize?

    /// The most pixels a picture may have: 500 million, 2 GB decoded.
    package static let maximumPixels = 500_000_000

    /// Why a file is neither picture nor video that the mirror keeps.
    package enum Refusal: Error, Hashable, Sendable {
        case empty
        case html
        case unknown(firstBytes: [UInt8])
        case damaged(MediaType)
        case tooLarge(PixelSize)
    }

    /// Reads the header of `file`, wherever it stands.
    package init(reading file: borrowing FileDescriptor) throws(Refusal) {
        let bytes = HeaderBytes(file.rawValue)
        let start = bytes.read(at: 0, count: 64)
        guard !start.isEmpty else { throw .empty }
        guard let type = MediaType(magic: start) else {
            throw Self.isMarkup(start) ? .html : .unknown(firstBytes: Array(start.prefix(8)))
        }
        self.type = type
        guard type.isPicture else {
            size = nil
            return
        }
        guard let size = bytes.pixelSize(of: type), size.width > 0, size.height > 0 else {
            throw .damaged(type)
        }
        guard size.width * size.height <= Self.maximumPixels else { throw .tooLarge(size) }
        self.size = size
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

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width) x \(height)" }
}

extension MediaHeader.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "an empty file in place of a picture"
        case .html: "a page of HTML in place of a picture"
        case .unknown(let bytes):
            "no picture or video that is known here (it begins \(Self.hexadecimal(bytes)))"
        case .damaged(let type): "a damaged \(type.rawValue): its header gives no size"
        case .tooLarge(let size):
            "\(size) pixels, more than the \(MediaHeader.maximumPixels / 1_000_000) million that are kept"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
