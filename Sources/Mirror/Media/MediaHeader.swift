internal import Glibc
package import Platform

/// What the header of a picture or video says, read without decoding anything.
///
/// Sources: ITU-T T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
package struct MediaHeader: Hashable, Sendable {
    package let type: MediaType
    /// In pixels; `nil` for a video, and for a picture whose header does not say it plainly.
    package let size: PixelSize?

    /// The most pixels a picture may have: 500 million, 2 GB decoded.
    package static let maximumPixels = 500_000_000

    /// Why a file is neither picture nor video that the mirror keeps.
    package enum Refusal: Error, Hashable, Sendable {
        case empty
        case html
        case unknown(firstBytes: [UInt8])
        case damaged(MediaType)
        /// The file ends before the picture or video does.
        case cut(MediaType)
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
        size = bytes.pixelSize(of: type)
        guard let size else {
            guard type.mayHideItsSize else { throw .damaged(type) }
            return
        }
        guard size.width > 0, size.height > 0 else { throw .damaged(type) }
        guard size.count <= Self.maximumPixels else { throw .tooLarge(size) }
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

    /// How many pixels that are; no number that a header may hold overflows it.
    package var count: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }

    package var description: String { "\(width) x \(height)" }
}

extension MediaType {
    /// Whether a whole file may be one whose size is not found here.
    fileprivate var mayHideItsSize: Bool { [.mp4, .avif, .heic].contains(self) }
}

extension MediaHeader.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "an empty file in place of a picture"
        case .html: "a page of HTML in place of a picture"
        case .unknown(let bytes):
            "no picture or video that is known here (it begins \(Self.hexadecimal(bytes)))"
        case .damaged(let type): "a damaged \(type.rawValue): its header gives no size"
        case .cut(let type): "a truncated \(type.rawValue): it ends before the picture does"
        case .tooLarge(let size):
            "\(size) pixels, more than the \(MediaHeader.maximumPixels / 1_000_000) million that are kept"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
