internal import Platform
internal import Synchronization

/// Sends requests during one sync, and refuses those to hosts that fail for one file after the other.
///
/// A host that no longer exists may have the posters of hundreds of videos, and each request to it may take minutes. So all
/// requests for pictures, videos and web pages of days are sent by ``request(_:by:)``:
///
/// - After three failures, a host that has not answered in this sync gets no more requests.
/// - After twelve failures in a row, a host that has answered gets fewer requests, because each failure may concern one file
///   only. Twelve requests are refused, and then one is sent. If this one fails, too, thirteen are refused, and so on.
package final class HostFailures: Sendable {
    /// What the requests to one host have shown in this sync.
    private struct History {
        private static let maximumWithoutAnswer = 3
        /// The failures of three days, which have up to four addresses each.
        private static let maximumAfterAnswer = 3 * 4

        /// Whether the host has answered a request, even if with an error.
        var hasAnswered = false
        /// The number of requests that failed since the last one that showed that the host works.
        var failures = 0
        /// The number of requests that were refused since the last one that was sent.
        var refusals = 0

        /// Refuses the next request for `address` if there were too many failures.
        mutating func admitRequest(for address: String) throws(TransferError) {
            let maximum = hasAnswered ? Self.maximumAfterAnswer : Self.maximumWithoutAnswer
            guard failures >= maximum else { return }
            if hasAnswered, refusals >= failures {
                // The host may work again.
                refusals = 0
                return
            }
            refusals += 1
            let text = "its host failed \(failures) times in a row; a later sync requests it again"
            throw .unreachable(address: address, reason: text)
        }
    }

    /// By the origins of the hosts, such as `https://apod.nasa.gov`.
    private let histories = Mutex<[String: History]>([:])

    /// Creates an object for a sync whose list of entries came from the host of `url`, which has answered therefore.
    package init(answeringHost url: WebURL? = nil) {
        if let url { recordAnswer(from: url.text) }
    }

    /// Sends a request for `address` by `send`, and records how it ended.
    ///
    /// - Throws: ``TransferError/unreachable(address:reason:)`` without a request if the host has failed too often.
    package func request<Response: Sendable>(
        _ address: String, by send: () async throws(TransferError) -> Response
    ) async throws(TransferError) -> Response {
        try check(address)
        do throws(TransferError) {
            let response = try await send()
            recordAnswer(from: address)
            return response
        } catch {
            record(error, of: address)
            throw error
        }
    }

    /// Refuses a request for `address` if its host has failed too often.
    func check(_ address: String) throws(TransferError) {
        try withHistory(of: address) { history throws(TransferError) in
            try history.admitRequest(for: address)
        }
    }

    /// Records that the host of `address` works.
    package func recordAnswer(from address: String) {
        withHistory(of: address) { $0 = History(hasAnswered: true) }
    }

    /// Records that a request for `address` failed with `error`.
    package func record(_ error: TransferError, of address: String) {
        switch error {
        case .unreachable: withHistory(of: address) { $0.failures += 1 }
        // The server itself fails, as with status 503.
        case .refused where AttemptFailure(error).isWorthRetrying, .broken:
            withHistory(of: address) { history in
                history.hasAnswered = true
                history.failures += 1
            }
        // The server works, and says something about one file only, as with status 404.
        case .refused, .tooLong, .rejected, .notModified, .throttled: recordAnswer(from: address)
        // These say nothing about the host.
        case .forbidden, .blocked, .noSpace, .file, .cancelled: break
        }
    }

    private func withHistory<Failure: Error>(
        of address: String, _ body: (inout History) throws(Failure) -> Void
    ) throws(Failure) {
        guard let origin = (try? WebURL(address))?.origin else { return }
        try histories.withLock { histories throws(Failure) in
            try body(&histories[origin, default: History()])
        }
    }
}
