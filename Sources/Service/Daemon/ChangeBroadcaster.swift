internal import Platform
internal import Synchronization

/// Notifies the services of the daemon of changes in the tree of the mirror.
package final class ChangeBroadcaster: Sendable {
    private let listeners = Mutex<[ChangeListener]>([])

    package init() {}

    /// Makes a listener for a service; it receives all changes from now on, and is never removed.
    func makeListener() -> ChangeListener {
        let listener = ChangeListener()
        listeners.withLock { $0.append(listener) }
        return listener
    }

    func broadcast(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.post(change) }
    }
}

/// Collects changes of the tree until a service, the only reader, receives them.
package final class ChangeListener: Sendable {
    /// At first, everything counts as changed, because the tree may have changed while no daemon ran.
    private let signal = CoalescingSignal<TreeChange>(.all)

    func post(_ change: TreeChange) { signal.send(change) }

    /// Waits for a change, then until `earliest` for more changes, and returns all of them together.
    ///
    /// - Returns: An empty set if there is no change by `deadline`. Without a deadline, it waits as long as there is none.
    /// - Throws: `CancellationError`
    func next(
        notBefore earliest: ContinuousClock.Instant = .now,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws -> TreeChange {
        var changes = try await signal.next(by: deadline)
        while changes.isEmpty {
            if let deadline, deadline <= .now { break }
            changes = try await signal.next(by: deadline)
        }
        while !changes.isEmpty, earliest > .now {
            changes.formUnion(try await signal.next(by: earliest))
        }
        try Task.checkCancellation()
        return changes
    }
}

/// The parts of the tree that have changed.
struct TreeChange: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Days were downloaded or edited, or the record of a missing day has changed.
    static let days = TreeChange(rawValue: 1)
    /// Favorites were added, removed or renamed.
    static let favorites = TreeChange(rawValue: 2)
    static let thumbnails = TreeChange(rawValue: 4)

    static let all: TreeChange = [.days, .favorites, .thumbnails]
}
