/// A message of the thumbnailer to the daemon: the outcome of one ``ThumbnailRequest``, or of the start.
///
/// The message is a text such as `7 done` or `7 rejected a damaged PNG: …`, in one packet of the socket. After an invalid
/// message, the daemon kills the thumbnailer, because a malicious picture may have taken it over.
package struct ThumbnailResponse: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The thumbnail is in the file of the request. After the start: the sandbox is active.
        case done
        /// No thumbnail can be made of this picture, for example because that takes too much memory.
        case rejected(reason: String)
        /// Something else failed, such as mapping the picture. After the start: the system refuses the sandbox.
        case failed(reason: String)
    }

    /// The ID of the first message, before any request; requests count from 1.
    package static let startID: UInt64 = 0
    /// The maximum size of a message, in bytes; a longer reason is cut.
    package static let maximumSize = 512

    package let id: UInt64
    package let outcome: Outcome

    package init(id: UInt64, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    /// Parses ``message``; `nil` if it is not one.
    package init?(message: some Collection<UInt8>) {
        let words = String(decoding: message, as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let id = UInt64(words[0]) else { return nil }
        let reason = words.count == 3 ? String(words[2]) : nil
        switch (words[1], reason) {
        case ("done", nil): outcome = .done
        case ("rejected", let reason?): outcome = .rejected(reason: reason)
        case ("failed", let reason?): outcome = .failed(reason: reason)
        default: return nil
        }
        self.id = id
    }

    package var message: [UInt8] {
        let text =
            switch outcome {
            case .done: "\(id) done"
            case .rejected(let reason): "\(id) rejected \(reason)"
            case .failed(let reason): "\(id) failed \(reason)"
            }
        return Array(text.utf8.prefix(Self.maximumSize))
    }
}
