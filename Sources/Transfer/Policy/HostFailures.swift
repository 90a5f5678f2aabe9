internal import Platform
internal import Synchronization

/// The hosts of files that did not answer in one sync.
///
/// A host that is gone may have the posters of hundreds of videos, and each request to it may take minutes. After the first
/// answer of a host, failures do not count any more, because each says nothing about other files.
package final class HostFailures: Sendable {
    /// The failures after which a host gets no request.
    private static let limit = 3

    private struct Answers {
        var answered: Set<String> = []
        var failures: [String: Int] = [:]
    }

    /// By the origin of the address; this object ends with the sync.
    private let state = Mutex(Answers())

    /// `answering` is the address from which the list came.
    package init(answering: WebURL? = nil) {
        if let answering { state.withLock { $0.answered = [answering.origin] } }
    }

    /// Checks that the host of `address` has not failed too often.
    package func check(_ address: String) throws(TransferError) {
        guard let origin = Self.origin(of: address) else { return }
        let isGone = state.withLock {
            !$0.answered.contains(origin) && $0.failures[origin, default: 0] >= Self.limit
        }
        guard isGone else { return }
        throw .unreachable(
            address: address,
            reason: "its host did not answer \(Self.limit) times; a later sync requests it again")
    }

    package func recordAnswer(from address: String) {
        guard let origin = Self.origin(of: address) else { return }
        state.withLock { _ = $0.answered.insert(origin) }
    }

    /// Records the failure of a request: of its host for `unreachable`; most other errors are an answer.
    package func record(_ error: TransferError, of address: String) {
        switch error {
        case .refused, .broken, .tooLong, .rejected, .notModified, .throttled:
            recordAnswer(from: address)
        case .unreachable:
            guard let origin = Self.origin(of: address) else { return }
            state.withLock { $0.failures[origin, default: 0] += 1 }
        case .forbidden, .noSpace, .file, .cancelled: break
        }
    }

    private static func origin(of address: String) -> String? {
        (try? WebURL(address))?.origin
    }
}
