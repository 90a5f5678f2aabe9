internal import Platform

/// Tells all listeners what has changed in the tree.
package final class ChangeBroadcaster: Sendable {
    private let listeners = Monitor<[ChangeListener]>([])

    package init() {}

    /// Creates a listener for the service that messages call `name`.
    package func listener(_ name: String) -> ChangeListener {
        let listener = ChangeListener(name)
        listeners.withLock { $0.append(listener) }
        return listener
    }

    package func broadcast(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.post(change) }
    }
}

/// Receives changes of the tree for one service.
package final class ChangeListener: Sendable {
    private let signal: CoalescingSignal<TreeChange>
    let heartbeat: Heartbeat

    /// The first ``next(notBefore:by:)`` returns `changes`: the tree may have changed while no daemon ran.
    init(_ name: String, _ changes: TreeChange = .all) {
        heartbeat = Heartbeat(name)
        signal = CoalescingSignal(changes)
    }

    package func post(_ change: TreeChange) { signal.send(change) }

    /// Waits for a change, and until `earliest` for others to join.
    ///
    /// - Returns: An empty set if there is no change by `deadline`.
    func next(
        notBefore earliest: ContinuousClock.Instant = .now,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws -> TreeChange {
        var changes: TreeChange = []
        while changes.isEmpty || earliest > .now {
            let end = changes.isEmpty ? deadline : earliest
            changes.formUnion(
                try await heartbeat.whileWaiting(until: end) { try await signal.next(by: end) })
            if changes.isEmpty, let deadline, deadline <= .now { break }
        }
        try Task.checkCancellation()
        return changes
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
    package static let thumbnails = TreeChange(rawValue: 4)

    package static let all: TreeChange = [.days, .favorites, .thumbnails]
}
