internal import FoundationEssentials
package import Mirror

/// Why services cannot read or write their files now, and since when; ``LastRunWriter`` has it for the services of a process.
struct FailureTable {
    /// The shortest time between two changes that need a sync, because a failure may come and go.
    private static let pauseBetweenSyncs = Duration.seconds(15 * 60)

    private var failures: [LastRun.ServiceName: SyncState.Failure] = [:]
    private var lastChangeThatNeedsSync: ContinuousClock.Instant?

    /// The failures for ``LastRun/failures``; `nil` if there are none.
    ///
    /// That of the file itself is left out, because the file cannot be written then.
    var failuresForFile: [LastRun.ServiceName: SyncState.Failure]? {
        let failures = failures.filter { $0.key != .status }
        return failures.isEmpty ? nil : failures
    }

    /// Replaces the failure of `service` by one with `message`; if that is `nil`, the failure has ended.
    ///
    /// - Returns: `nil` if the message is that of the present failure, which then keeps the time at which it began.
    mutating func replaceFailure(
        of service: LastRun.ServiceName, by message: String?
    ) -> FailureChange? {
        let earlier = failures[service]
        guard earlier?.message != message else { return nil }
        let failure = message.map { SyncState.Failure(at: Date(), message: $0) }
        failures[service] = failure
        let needsSync = earlier == nil && isAfterPause
        if needsSync { lastChangeThatNeedsSync = .now }
        return FailureChange(service: service, failure: failure, needsSync: needsSync)
    }

    private var isAfterPause: Bool {
        guard let lastChangeThatNeedsSync else { return true }
        return lastChangeThatNeedsSync.duration(to: .now) >= Self.pauseBetweenSyncs
    }
}

/// A failure of a service began, got another message or ended.
package struct FailureChange: Sendable {
    package let service: LastRun.ServiceName
    /// `nil` if the failure has ended.
    package let failure: SyncState.Failure?
    /// Whether a sync is to check the disk, which may take no writes at all: the failure is the first one in a while.
    package let needsSync: Bool
}
