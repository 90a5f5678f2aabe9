/// What the daemon asks of the process that decodes: one message, with two open files beside it, the
/// picture to read from its beginning and the empty file that the thumbnail goes into.
package struct ThumbnailOrder: Hashable, Sendable {
    /// What the thumbnail is to say of itself.
    package let stamp: String

    package init(stamp: String) {
        self.stamp = stamp
    }

    /// The most bytes of a message.
    package static let limit = 256

    package init?(message: some Collection<UInt8>) {
        guard let stamp = String(validating: message, as: UTF8.self), !stamp.isEmpty else {
            return nil
        }
        self.stamp = stamp
    }

    package var message: [UInt8] { Array(stamp.utf8.prefix(Self.limit)) }
}
