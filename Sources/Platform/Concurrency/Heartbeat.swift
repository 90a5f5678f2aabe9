/// The next sign of life that a loop of the daemon promises; the watchdog compares it with the clock.
///
/// While the loop works, it signals each step, and each file that ``Directory`` opens signals ``current``. While it
/// waits, it promises nothing before the wait ends.
package final class Heartbeat: Sendable {
    /// The heartbeat of the loop that this task works for.
    @TaskLocal package static var current: Heartbeat?

    private struct Promise {
        var isWaiting = false
        /// `nil` while the loop waits until something happens.
        var due: SuspendingClock.Instant?
    }

    /// The loop, for messages: “the gallery service”.
    package let name: String
    private let patience: Duration
    private let promise: Monitor<Promise>

    /// The loop counts as working; `patience` is the longest normal time between two of its signs of life.
    ///
    /// The watchdog adds a grace to it, which is enough for a loop that only opens files.
    package init(_ name: String, patience: Duration = .zero) {
        self.name = name
        self.patience = patience
        promise = Monitor(Promise(due: .now + patience))
    }

    /// Signals progress; has no effect while the loop waits.
    package func signal() {
        promise.withLock { if !$0.isWaiting { $0.due = .now + patience } }
    }

    /// Runs `body`, which waits until `end` at the latest; the time in which the machine is suspended does not count.
    package nonisolated(nonsending) func whileWaiting<Result>(
        until end: ContinuousClock.Instant? = nil,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let end = end.map { SuspendingClock.now + ContinuousClock.now.duration(to: $0) }
        promise.withLock { $0 = Promise(isWaiting: true, due: end) }
        defer { promise.withLock { $0 = Promise(due: .now + patience) } }
        return try await body()
    }

    /// Runs `body`, a part of the work; each file that it opens is a sign of life.
    package func signallingOpenedFiles<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Heartbeat.$current.withValue(self, operation: body)
    }

    /// When the next sign of life is promised; `nil` if the loop waits until something happens.
    package var due: SuspendingClock.Instant? { promise.withLock(\.due) }

    /// Whether the promised sign of life is more than `grace` late.
    package func isLate(by grace: Duration) -> Bool {
        due.map { .now > $0 + grace } ?? false
    }
}
