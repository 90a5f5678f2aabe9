/// A request of the daemon to the thumbnailer: one message with two file descriptors, that of the picture and that of an empty
/// in-memory file for the thumbnail.
///
/// The message is a text such as `512 apod-mirror 3e8f…`: side and stamp. The next request is sent after the answer, a
/// ``ThumbnailResponse``.
package struct ThumbnailRequest: Hashable, Sendable {
    /// The maximum length of the thumbnail's longer side, in pixels.
    package let side: Int
    /// The comment to write into the thumbnail.
    package let stamp: String

    /// Makes a request; if `side` is outside of the valid range, the nearest valid one is taken.
    ///
    /// The `stamp` must not be empty.
    package init(side: Int = ThumbnailRequest.thumbnailSide, stamp: String) {
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
        let parts = String(decoding: message, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let side = Int(parts[0]), 1...Self.maximumSide ~= side else {
            return nil
        }
        self.init(side: side, stamp: String(parts[1]))
    }

    package var message: [UInt8] { Array("\(side) \(stamp)".utf8.prefix(Self.maximumSize)) }
}
