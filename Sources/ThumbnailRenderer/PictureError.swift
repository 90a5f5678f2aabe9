package import MediaFormat

/// Why no thumbnail can be made of a file.
package enum PictureError: Error, Hashable, Sendable {
    /// The file has none of the formats that are decoded.
    case unknown
    case tooLarge(PixelSize)
    /// A decoder has no more memory, or would take more than the process may use.
    case exceedsMemoryLimit
    /// A decoder reports an error.
    case damaged(format: String, reason: String)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown: "not a JPEG, PNG, GIF or WebP file"
        case .tooLarge(let size):
            "\(size) pixels; the limit is \(PixelSize.maximumDecoded / 1_000_000) million"
        case .exceedsMemoryLimit: "decoding exceeds the memory limit"
        case .damaged(let format, let reason): "a damaged \(format): \(reason)"
        }
    }
}
