/// What the daemon asks of the process that decodes: one message, with two open files beside it, the
/// picture to read from its beginning and an empty file in memory that the thumbnail goes into.
package struct ThumbnailOrder: Hashable, Sendable {
    /// Says which order an answer is about.
    package let id: UInt64
    /// How long the long side of the thumbnail is to be at most, in pixels.
    package let side: Int
    /// What the thumbnail is to say of itself.
    package let stamp: String

    /// - Parameters:
    ///   - id: Another one than that of every earlier order.
    ///   - side: The long side in pixels; the next possible one counts where there can be none.
    ///   - stamp: Not empty.
    package init(id: UInt64, side: Int = 512, stamp: String) {
        self.id = id
        self.side = min(max(side, 1), Self.maximumSide)
        self.stamp = stamp
    }

    private static let maximumSide = 4096

    /// The most bytes of a message.
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

    /// The bytes, the last first.
    var message: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }

    /// Reads ``message`` from the beginning of `bytes`, `nil` where there are fewer.
    init?(message bytes: some Collection<UInt8>) {
        let bytes = bytes.prefix(Self.messageCount)
        guard bytes.count == Self.messageCount else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
