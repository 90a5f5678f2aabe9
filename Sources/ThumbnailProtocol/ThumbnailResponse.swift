/// A message from the thumbnailer to the daemon: the outcome of one ``ThumbnailRequest``, or of the start.
///
/// The message is a text, one packet of the socket between them: id, outcome and, except for `done`, a reason,
/// separated by spaces. A malicious picture may have taken over the thumbnailer: the daemon kills it after an invalid
/// message.
package struct ThumbnailResponse: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The thumbnail is in the file of the request; after the start: the sandbox is active.
        case done
        /// No thumbnail can be made of this picture, such as within the limit of memory.
        case rejected(reason: String)
        /// Another failure, such as of mapping the picture; after the start: the system refuses the sandbox.
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
