internal import FoundationEssentials
internal import Platform

/// Why ``MirrorService`` is woken between two syncs, or ``FirstRequest`` between two requests.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// The next sync, or request, is to follow at once.
    static let sync = WakeReason(rawValue: 1)
}

extension CoalescingSignal<WakeReason> {
    /// Waits until `time`, or until ``WakeReason/sync`` is sent or the clock is set.
    ///
    /// A clock that is set again and again causes no more than one request in the time until `afterClockStep`. `ending`
    /// tells how the timer of the wall clock has ended; a test sets the clock by it.
    ///
    /// - Returns: Whether the next sync also retries transient failures: `false` at `time`.
    func waitForRequest(
        until time: Date, afterClockStep earliest: ContinuousClock.Instant,
        ending endingOf: @Sendable (borrowing WallTimer) -> WallTimer.Ending? = { $0.ending }
    ) async throws -> Bool {
        let timer = try WallTimer(at: time.timeIntervalSince1970)
        while true {
            let reasons = try await next(onReadable: timer.descriptor)
            if reasons.contains(.sync) { return true }
            if let ending = endingOf(timer) {
                if ending == .clockSet { try await waitForRequest(by: earliest) }
                return ending == .clockSet
            }
        }
    }

    /// Waits until `deadline`, or until ``WakeReason/sync`` is sent.
    func waitForRequest(by deadline: ContinuousClock.Instant) async throws {
        while deadline > .now, try await !next(by: deadline).contains(.sync) {}
    }
}
