internal import FoundationEssentials
internal import Platform

/// Why ``MirrorService`` begins a sync at once, or ``FirstRequest`` a request.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// A person, a new favorite or damage needs a sync, which also retries transient failures, or a person wants a request.
    static let sync = WakeReason(rawValue: 1)
    /// A download that outlasted its sync has ended: its place is free for another due day.
    static let dueDays = WakeReason(rawValue: 2)
}

extension CoalescingSignal<WakeReason> {
    /// Waits until `time`, or until a reason is sent or somebody sets the clock.
    ///
    /// After a change of the clock, it does not return before `earliestAfterClockChange`: a clock that is set again and again
    /// must cause few requests. Tests replace `ending`, which says how the timer of the wall clock has ended.
    ///
    /// - Returns: Whether the next sync also retries transient failures: `false` if `time` has come.
    func waitForRequest(
        until time: Date, earliestAfterClockChange earliest: ContinuousClock.Instant,
        ending endingOf: @Sendable (borrowing WallTimer) -> WallTimer.Ending? = { $0.takeEnding() }
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
