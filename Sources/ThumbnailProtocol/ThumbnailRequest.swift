/// A request of the daemon to the thumbnailer: one message with two file descriptors, that of the picture and that of an empty
/// in-memory file for the thumbnail.
///
/// The message is a text such as `7 512 apod-mirror 3e8f…`: id, side and stamp. The answer is a ``ThumbnailResponse``.
package struct ThumbnailRequest: Hashable, Sendable {
    /// The response has the same ID.
    package let id: UInt64
    /// The maximum length of the thumbnail's longer side, in pixels.
    package let side: Int
    /// The comment to write into the thumbnail.
    package let stamp: String

    /// Makes a request with a `side` within the valid range; the `stamp` must not be empty.
    package init(id: UInt64, side: Int = ThumbnailRequest.thumbnailSide, stamp: String) {
        self.id = id
        self.side = min(max(side, 1), Self.maximumSide)
        self.stamp = stamp
    }

    /// The length of a thumbnail's longer side, in pixels.
    package static let thumbnailSide = 512
    /// The longest side of a JPEG that libjpeg can make.
    private static let maximumSide = 65_500
    /// The maximum size of a message, in bytes.
    package static let maximumSize = 256

    /// Parses ``message``; `nil` if it is not one.
    package init?(message: some Collection<UInt8>) {
        let parts = String(decoding: message, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let id = UInt64(parts[0]), let side = Int(parts[1]),
            1...Self.maximumSide ~= side
        else { return nil }
        self.init(id: id, side: side, stamp: String(parts[2]))
    }

    package var message: [UInt8] { Array("\(id) \(side) \(stamp)".utf8.prefix(Self.maximumSize)) }
}
