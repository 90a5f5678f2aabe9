internal import Platform
internal import Synchronization

/// Sends requests during one sync, and refuses most of those to hosts that fail for one day after the other.
///
/// A host that no longer exists may have the posters of hundreds of videos, and each request to it may take minutes. So all
/// requests for pictures, videos and web pages of days are sent by ``request(_:for:by:)``. A failure may concern one day only,
/// whose file may have several addresses. So a host is refused requests after failures for three days, with no success since.
/// Four days are refused, and then one request is sent. If this one fails, too, eight days are refused, then 16, and so on.
package final class HostFailures<Day: Hashable & Sendable>: Sendable {
    /// What the requests to one host have shown in this sync.
    private struct History {
        /// The days for which requests failed since the last one that showed that the host works.
        var failedDays: Set<Day> = []
        /// The days that were refused since the last request that was sent.
        var refusedDays: Set<Day> = []

        /// The number of days after whose failures a request is refused.
        private static var maximumFailures: Int { 3 }

        /// Refuses the next request for `address` if there were too many failures.
        mutating func admitRequest(for address: String, of day: Day) throws(TransferError) {
            guard failedDays.count >= Self.maximumFailures else { return }
            // 4, 8, 16: an archive of 10,000 days needs 15 requests.
            let maximumRefusals = 1 << min(failedDays.count - 1, 30)
            if refusedDays.count >= maximumRefusals, !refusedDays.contains(day) {
                // The host may work again.
                refusedDays = []
                return
            }
            refusedDays.insert(day)
            throw .skipped(
                address: address,
                reason: "its host failed for other days; a later sync requests it")
        }
    }

    /// By the origins of the hosts, such as `https://apod.nasa.gov`.
    private let histories = Mutex<[String: History]>([:])

    package init() {}

    /// Sends a request for `address`, which has a file of `day`, by `send`, and records how it ended.
    ///
    /// - Throws: ``TransferError/skipped(address:reason:)`` without a request if the host has failed for too many days.
    package func request<Response: Sendable>(
        _ address: String, for day: Day, by send: () async throws(TransferError) -> Response
    ) async throws(TransferError) -> Response {
        try check(address, for: day)
        do throws(TransferError) {
            let response = try await send()
            recordAnswer(from: address)
            return response
        } catch {
            record(error, of: address, for: day)
            throw error
        }
    }

    /// Refuses a request for `address` if its host has failed for too many days.
    func check(_ address: String, for day: Day) throws(TransferError) {
        try withHistory(of: address) { history throws(TransferError) in
            try history.admitRequest(for: address, of: day)
        }
    }

    /// Records that the host of `address` works.
    package func recordAnswer(from address: String) {
        withHistory(of: address) { $0 = History() }
    }

    /// Records that a request for `address` failed with `error`.
    package func record(_ error: TransferError, of address: String, for day: Day) {
        switch error {
        case .unreachable, .broken:
            withHistory(of: address) { _ = $0.failedDays.insert(day) }
        // The server itself fails, as with status 503.
        case .refused where AttemptFailure(error).isWorthRetrying:
            withHistory(of: address) { _ = $0.failedDays.insert(day) }
        // The server works, and says something about one file only, as with status 404.
        case .refused, .tooLong, .rejected, .notModified, .throttled: recordAnswer(from: address)
        // These say nothing about the host.
        case .forbidden, .blocked, .skipped, .noSpace, .file, .cancelled: break
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
