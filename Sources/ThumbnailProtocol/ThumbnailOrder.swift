/// What the daemon asks of the process that decodes: one message, with two open files beside it, the
/// picture to read from its beginning and an empty file in memory that the thumbnail goes into.
package struct ThumbnailOrder: Hashable, Sendable {
    /// Says which order an answer is about.
    package let id: UInt64
    /// What the thumbnail is to say of itself.
    package let stamp: String

    package init(id: UInt64, stamp: String) {
        self.id = id
        self.stamp = stamp
    }

    /// The most bytes of a message.
    package static let limit = 256

    package init?(message: some Collection<UInt8>) {
        guard let id = UInt64(message: message),
            let stamp = String(validating: message.dropFirst(UInt64.messageCount), as: UTF8.self),
            !stamp.isEmpty
        else { return nil }
        self.init(id: id, stamp: stamp)
    }

    package var message: [UInt8] {
        id.message + Array(stamp.utf8.prefix(Self.limit - UInt64.messageCount))
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
