internal import Platform

/// What one keeper hears of the tree, and where it is asked for signs of life.
package final class ChangeListener: Sendable {
    private let mailbox = CoalescingSignal(TreeChange.all)
    private let pulse = Heartbeat()

    /// At first all has changed, for the tree may have while nobody ran.
    package init() {}

    package func put(_ change: TreeChange) { mailbox.put(change) }

    /// Returns once the keeper has gone round, or its work got on; see ``Watchdog``.
    package func answer() async throws {
        try await pulse.next { mailbox.put(.question) }
    }

    /// Waits for a change, and then for the moment; meanwhile only questions wake the keeper.
    ///
    /// - Parameters:
    ///   - earliest: Not before then it returns.
    ///   - settling: Nor so long after the change, so that many are one.
    ///   - deadline: Then it returns even where nothing has changed, `nil` for never.
    /// - Returns: All that has changed since the last call.
    /// - Throws: `CancellationError`
    func next(
        notBefore earliest: ContinuousClock.Instant = .now, settling: Duration = .zero,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws -> TreeChange {
        var earliest = earliest
        var changes: TreeChange = []
        while changes.isEmpty || earliest > .now {
            let isFirst = changes.isEmpty
            let news = try await mailbox.next(by: isFirst ? deadline : earliest)
            changes.formUnion(news.subtracting(.question))
            if isFirst, !changes.isEmpty { earliest = max(earliest, .now + settling) }
            pulse.beat()
            if changes.isEmpty, let deadline, deadline <= .now { break }
        }
        try Task.checkCancellation()
        return changes
    }

    /// Does `work`, of which each file that is opened is a sign of life.
    func whileWorking<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await Heartbeat.$current.withValue(pulse, operation: work)
    }
}
