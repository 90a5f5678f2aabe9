/// A message of the thumbnailer to the daemon: how the last ``ThumbnailRequest``, or the start of the thumbnailer, has ended.
///
/// The message is a text such as `done` or `rejected a damaged PNG: …`, in one packet of the socket. After an invalid
/// message, the daemon kills the thumbnailer, because a malicious picture may have taken it over.
package enum ThumbnailResponse: Hashable, Sendable {
    /// The thumbnail is in the file of the request. After the start: the sandbox is active.
    case done
    /// No thumbnail can be made of this picture, for example because that takes too much memory.
    case rejected(reason: String)
    /// Something else failed, such as mapping the picture. After the start: the system refuses the sandbox.
    case failed(reason: String)

    /// The maximum size of a message, in bytes; a longer reason is cut.
    package static let maximumSize = 512

    /// Parses ``message``; `nil` if it is not one.
    package init?(message: some Collection<UInt8>) {
        let words = String(decoding: message, as: UTF8.self)
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let reason = words.count == 2 ? String(words[1]) : nil
        switch (words[0], reason) {
        case ("done", nil): self = .done
        case ("rejected", let reason?): self = .rejected(reason: reason)
        case ("failed", let reason?): self = .failed(reason: reason)
        default: return nil
        }
    }

    package var message: [UInt8] {
        let text =
            switch self {
            case .done: "done"
            case .rejected(let reason): "rejected \(reason)"
            case .failed(let reason): "failed \(reason)"
            }
        return Array(text.utf8.prefix(Self.maximumSize))
    }
}
