internal import Platform

/// Notifies the services when the tree has changed.
package final class ChangeBroadcaster: Sendable {
    private let listeners = Monitor<[ChangeListener]>([])

    package init() {}

    /// Creates a listener for one service.
    package func listener() -> ChangeListener {
        let listener = ChangeListener()
        listeners.withLock { $0.append(listener) }
        return listener
    }

    package func broadcast(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.post(change) }
    }
}

/// Receives changes of the tree, and pings, for one service.
package final class ChangeListener: Sendable {
    private let signal: CoalescingSignal<TreeChange>
    private let heartbeat = Heartbeat()

    /// Starts with all changes unless told otherwise, as the tree may have changed while no daemon ran.
    init(_ changes: TreeChange = .all) { signal = CoalescingSignal(changes) }

    package func post(_ change: TreeChange) { signal.send(change) }

    /// Returns after the next iteration of the service's loop or the next progress of its work; see
    /// ``Watchdog``.
    package func ping() async throws {
        try await heartbeat.next { signal.send(.ping) }
    }

    /// Waits for a change; pings are answered meanwhile.
    ///
    /// Changes until `earliest` are joined to one; at `deadline` it returns without any change.
    func next(
        notBefore earliest: ContinuousClock.Instant = .now,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws -> TreeChange {
        var changes: TreeChange = []
        while changes.isEmpty || earliest > .now {
            let next = try await signal.next(by: changes.isEmpty ? deadline : earliest)
            changes.formUnion(next.subtracting(.ping))
            heartbeat.signal()
            if changes.isEmpty, let deadline, deadline <= .now { break }
        }
        try Task.checkCancellation()
        return changes
    }

    /// Runs `work`; each file that it opens counts as progress.
    func reportingProgress<Result>(_ work: () async -> Result) async -> Result {
        await Heartbeat.$current.withValue(heartbeat, operation: work)
    }
}

/// The parts of the tree that have changed; many changes join to one.
package struct TreeChange: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Days were downloaded or edited, or the record of a missing day has changed.
    package static let days = TreeChange(rawValue: 1)
    /// Favorites were added, removed or renamed.
    package static let favorites = TreeChange(rawValue: 2)
    /// Thumbnails were made.
    package static let thumbnails = TreeChange(rawValue: 4)

    /// No change: a ping.
    static let ping = TreeChange(rawValue: 8)

    package static let all: TreeChange = [.days, .favorites, .thumbnails]
}
