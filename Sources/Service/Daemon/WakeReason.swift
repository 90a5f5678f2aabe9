internal import FoundationEssentials
internal import Platform

/// Why the daemon sends requests to NASA before the next time of its schedule.
///
/// ``MirrorService`` waits for a reason between two syncs. Before there is a mirror, ``FirstRequest`` waits for one between two
/// attempts to reach NASA. A ``CoalescingSignal`` keeps the reasons that are sent while nobody waits, and they end the next wait.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// A person wants a sync, a favorite lacks its picture, or a file is damaged.
    static let request = WakeReason(rawValue: 1)
    /// A download that outlasted its sync has ended, so that another day that is due can be downloaded.
    static let freeSlot = WakeReason(rawValue: 2)
}

/// What ended a wait for the next request to NASA.
enum WaitEnd: Hashable {
    case scheduledTime, clockSet, request, freeSlot
}

extension CoalescingSignal<WakeReason> {
    /// Waits until the wall clock shows `time`, a reason is sent, or somebody sets the clock.
    ///
    /// After a change of the clock, the wait lasts at least until `earliestAfterClockChange`, unless a ``WakeReason/request`` is
    /// sent, because a clock that is set again and again must not cause many requests to NASA.
    ///
    /// `takeEnding` returns how the timer of the wall clock has ended; `nil` if the timer still runs. Tests replace it.
    func wait(
        until time: Date, earliestAfterClockChange: ContinuousClock.Instant,
        takeEnding: @Sendable (borrowing WallTimer) -> WallTimer.Ending? = { $0.takeEnding() }
    ) async throws -> WaitEnd {
        let timer = try WallTimer(at: time.timeIntervalSince1970)
        while true {
            let reasons = try await next(onReadable: timer.descriptor)
            guard reasons.isEmpty else {
                return reasons.contains(.request) ? .request : .freeSlot
            }
            switch takeEnding(timer) {
            case nil: continue
            case .timeReached: return .scheduledTime
            case .clockSet:
                try await waitForRequest(by: earliestAfterClockChange)
                return .clockSet
            }
        }
    }

    /// Waits until `deadline`, or until a ``WakeReason/request`` is sent.
    func waitForRequest(by deadline: ContinuousClock.Instant) async throws {
        while deadline > .now {
            let reasons = try await next(by: deadline)
            if reasons.contains(.request) { return }
        }
    }
}
