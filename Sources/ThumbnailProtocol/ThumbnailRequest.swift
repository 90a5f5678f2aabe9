/// A request to the thumbnailer: one message with two file descriptors, the picture and an empty
/// in-memory file for the thumbnail.
package struct ThumbnailRequest: Hashable, Sendable {
    /// Identifies the response.
    package let id: UInt64
    /// The maximum length of the thumbnail's longer side, in pixels.
    package let side: Int
    /// The comment to write into the thumbnail.
    package let stamp: String

    /// The side is clamped to the valid range, the stamp not empty.
    package init(id: UInt64, side: Int = ThumbnailRequest.thumbnailSide, stamp: String) {
        self.id = id
        self.side = min(max(side, 1), Self.maximumSide)
        self.stamp = stamp
    }

    /// The length of a thumbnail's longer side, in pixels.
    package static let thumbnailSide = 512

    /// The longest side of a JPEG that libjpeg makes.
    private static let maximumSide = 65_500

    /// The maximum size of a message, in bytes.
    package static let limit = 256

    package init?(message: some Collection<UInt8>) {
        let rest = message.dropFirst(UInt64.messageCount)
        guard let id = UInt64(message: message), let side = UInt64(message: rest),
            let stamp = String(validating: rest.dropFirst(UInt64.messageCount), as: UTF8.self),
            1...UInt64(Self.maximumSide) ~= side, !stamp.isEmpty
        else { return nil }
        self.init(id: id, side: Int(side), stamp: stamp)
    }

    package var message: [UInt8] {
        id.message + UInt64(side).message
            + Array(stamp.utf8.prefix(Self.limit - 2 * UInt64.messageCount))
    }
}

extension UInt64 {
    static let messageCount = 8

    /// The bytes in little-endian order.
    var message: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }

    /// Reads ``message`` from the start of `bytes`; `nil` if there are too few.
    init?(message bytes: some Collection<UInt8>) {
        let bytes = bytes.prefix(Self.messageCount)
        guard bytes.count == Self.messageCount else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
