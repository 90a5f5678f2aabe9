internal import Platform
internal import Synchronization

/// Stops the requests to hosts that fail for one file after the other during a sync.
///
/// A host that no longer exists may have the posters of hundreds of videos, and each request to it may take minutes. It gets
/// no more requests in this sync. A host that has answered may work again at any time, and each failure may concern one file
/// only. So it gets fewer requests while it serves nothing but errors, until it answers one of them.
package final class HostFailures: Sendable {
    /// The number of failures after which a host without an answer gets no more requests.
    private static let maximumFailures = 3
    /// The number of failures in a row after which a host that has answered gets fewer requests: those of three days, which
    /// have up to four addresses each.
    private static let maximumFailuresInRow = 12

    private struct Host {
        /// Whether the host answered in this sync, if only with an error.
        var hasAnswered = false
        /// The number of requests that failed since the last one that the host answered as a working server.
        var failures = 0
        /// The number of requests that were left out since the last one.
        var leftOut = 0

        mutating func recordFailure(isAnswer: Bool) {
            hasAnswered = hasAnswered || isAnswer
            failures += 1
        }

        /// The number of failures because of which the next request is left out; `nil` if it may be sent.
        mutating func failuresThatForbidRequest() -> Int? {
            let maximum =
                hasAnswered
                ? HostFailures.maximumFailuresInRow : HostFailures.maximumFailures
            guard failures >= maximum else { return nil }
            // As many requests are left out as have failed, so that their number stays small, and a host that works is noticed.
            if hasAnswered, leftOut >= failures {
                leftOut = 0
                return nil
            }
            leftOut += 1
            return failures
        }
    }

    /// By their origins, such as `https://apod.nasa.gov`.
    private let hosts = Mutex<[String: Host]>([:])

    /// Creates an object for a sync whose list of entries came from `answeringHost`.
    package init(answeringHost: WebURL? = nil) {
        if let answeringHost { recordAnswer(from: answeringHost.text) }
    }

    /// Checks that the host of `address` may get another request.
    package func check(_ address: String) throws(TransferError) {
        guard let origin = Self.origin(of: address),
            let failures = hosts.withLock({ $0[origin]?.failuresThatForbidRequest() })
        else { return }
        throw .unreachable(
            address: address,
            reason: "its host failed \(failures) times in a row; a later sync requests it again")
    }

    package func recordAnswer(from address: String) {
        guard let origin = Self.origin(of: address) else { return }
        hosts.withLock { $0[origin] = Host(hasAnswered: true) }
    }

    /// Records how a request for `address` failed: without an answer, or with an answer of the host such as status 404.
    package func record(_ error: TransferError, of address: String) {
        guard let origin = Self.origin(of: address) else { return }
        switch error {
        case .refused, .broken, .unreachable:
            guard AttemptFailure(error).isWorthRetrying else { return recordAnswer(from: address) }
            let isAnswer = if case .unreachable = error { false } else { true }
            hosts.withLock { $0[origin, default: Host()].recordFailure(isAnswer: isAnswer) }
        case .tooLong, .rejected, .notModified, .throttled: recordAnswer(from: address)
        // These say nothing about the host.
        case .forbidden, .blocked, .noSpace, .file, .cancelled: break
        }
    }

    private static func origin(of address: String) -> String? {
        (try? WebURL(address))?.origin
    }
}
