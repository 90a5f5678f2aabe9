/// Why no thumbnail can be made of a file.
package enum PictureError: Error, Hashable, Sendable {
    case empty
    case unknown
    case tooLarge(PictureSize)
    case tooManyScans
    /// Decoding it would take more memory than a picture may.
    case noMemory
    /// The machine had no memory: another time it may.
    case outOfMemory
    /// What the decoder says of it.
    case damaged(format: String, reason: String)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "it is empty"
        case .unknown: "it is no JPEG, PNG, GIF or WebP"
        case .tooLarge(let size):
            "its \(size) pixels are more than the \(PictureSize.maximumPixels / 1_000_000) million"
                + " that are decoded"
        case .tooManyScans: "it is a JPEG of more than \(JPEGHeader.maximumScans) scans"
        case .noMemory: "decoding it takes more memory than it is worth"
        case .outOfMemory: "there is not enough memory to decode it"
        case .damaged(let format, let reason): "it is a damaged \(format): \(reason)"
        }
    }
}
