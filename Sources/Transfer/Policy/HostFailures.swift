internal import Platform
internal import Synchronization

/// Sends the requests of one sync for files and web pages of days, but refuses most of those to a host that keeps failing.
///
/// A host that no longer exists may have the still images of hundreds of videos, and each request to it may take minutes. A
/// failure may concern one day only, so a host is refused requests after failures for three days, without a success since:
/// then for the next four days. After that, one request is sent. If it fails, too, eight days are refused, then 16, and so on.
///
/// `Day` is the type of a day, which another module declares.
package final class HostFailures<Day: Hashable & Sendable>: Sendable {
    /// The histories of the hosts by their origins, such as `https://apod.nasa.gov`.
    private let histories = Mutex<[String: HostHistory<Day>]>([:])

    package init() {}

    /// Calls `send`, which requests `address` for a file of `day`, and records how that ended.
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
        var isAdmitted = true
        changeHistory(of: address) { isAdmitted = $0.admitRequest(for: day) }
        guard isAdmitted else {
            throw .skipped(
                address: address,
                reason: "its host failed for other days; a later sync requests it")
        }
    }

    /// Records that the host of `address` works; a long download calls this before it ends.
    package func recordAnswer(from address: String) {
        changeHistory(of: address) { $0 = HostHistory() }
    }

    /// Records that a request for `address` failed with `error`.
    package func record(_ error: TransferError, of address: String, for day: Day) {
        switch error {
        case .unreachable, .broken:
            changeHistory(of: address) { _ = $0.failedDays.insert(day) }
        // The server itself fails, as with status 503.
        case .refused where error.isTransient:
            changeHistory(of: address) { _ = $0.failedDays.insert(day) }
        // The server works, and says something about one file only, as with status 404.
        case .refused, .tooLong, .rejected, .notModified, .throttled: recordAnswer(from: address)
        // These say nothing about the host.
        case .forbidden, .blocked, .skipped, .noSpace, .file, .cancelled: break
        }
    }

    /// Changes what is known about the host of `address`; an address that is no URL has none, and its request fails anyway.
    private func changeHistory(of address: String, _ change: (inout HostHistory<Day>) -> Void) {
        guard let origin = (try? WebURL(address))?.origin else { return }
        histories.withLock { change(&$0[origin, default: HostHistory()]) }
    }
}

/// What the requests to one host have shown in this sync.
private struct HostHistory<Day: Hashable & Sendable> {
    /// The days for which requests failed since the last one that showed that the host works.
    var failedDays: Set<Day> = []
    /// The days that were refused since the last request that was sent.
    private var refusedDays: Set<Day> = []

    /// The number of days after whose failures requests are refused.
    private static var toleratedFailures: Int { 3 }

    /// The number of days to refuse before the next request: 4 after failures for three days, then 8, 16 and so on.
    ///
    /// An archive of 10,000 days thus needs 15 requests.
    private var maximumRefusals: Int {
        let largestExponent = 30  // It prevents an overflow.
        return 1 << min(failedDays.count - 1, largestExponent)
    }

    /// Whether a request for a file of `day` may be sent; if not, counts the day as refused.
    mutating func admitRequest(for day: Day) -> Bool {
        guard failedDays.count >= Self.toleratedFailures else { return true }
        let isRefusedAlready = refusedDays.contains(day)
        if refusedDays.count >= maximumRefusals, !isRefusedAlready {
            // The host may work again.
            refusedDays = []
            return true
        }
        refusedDays.insert(day)
        return false
    }
}
