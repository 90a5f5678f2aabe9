internal import FoundationEssentials
internal import Platform

/// Why ``MirrorService`` begins a sync at once, or ``FirstRequest`` a request.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// A person, a new favorite or found damage needs a sync, which also retries transient failures; or a request.
    static let sync = WakeReason(rawValue: 1)
    /// A download ended after its sync.
    static let dueDays = WakeReason(rawValue: 2)
}

extension CoalescingSignal<WakeReason> {
    /// Waits until `time`, or until a reason is sent or the clock is set.
    ///
    /// After a change of the clock, it returns at `earliestAfterClockChange`, so that a clock that is set again and again
    /// causes few requests. Tests replace `ending`, which says how the timer of the wall clock has ended.
    ///
    /// - Returns: Whether the next sync also retries transient failures: `false` at `time`.
    func waitForRequest(
        until time: Date, earliestAfterClockChange earliest: ContinuousClock.Instant,
        ending endingOf: @Sendable (borrowing WallTimer) -> WallTimer.Ending? = { $0.ending }
    ) async throws -> Bool {
        let timer = try WallTimer(at: time.timeIntervalSince1970)
        while true {
            let reasons = try await next(onReadable: timer.descriptor)
            if !reasons.isEmpty { return reasons.contains(.sync) }
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
