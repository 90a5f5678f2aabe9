/// The next sign of life that a loop of the daemon promises; the watchdog compares it with the clock.
///
/// While the loop works, it signals each step, and opening a file signals ``current``. While it waits, it
/// promises nothing before the wait ends.
package final class Heartbeat: Sendable {
    /// The heartbeat of the loop that this task works for.
    @TaskLocal package static var current: Heartbeat?

    private enum Promise {
        case working(until: SuspendingClock.Instant)
        /// `nil`: until something happens.
        case resting(until: SuspendingClock.Instant?)
    }

    /// The loop, for messages: “the gallery service”.
    package let name: String
    private let patience: Duration
    private let promise: Monitor<Promise>

    /// The loop counts as working; `patience` is the longest normal time between two of its signs of life.
    package init(_ name: String, patience: Duration = .zero) {
        self.name = name
        self.patience = patience
        promise = Monitor(.working(until: .now + patience))
    }

    /// Signals progress; has no effect while the loop waits.
    package func signal() {
        promise.withLock { promise in
            if case .working = promise { promise = .working(until: .now + patience) }
        }
    }

    /// Runs `body`, which waits until `end` at the latest; a time of suspension does not count.
    package nonisolated(nonsending) func whileWaiting<Result>(
        until end: ContinuousClock.Instant? = nil,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let end = end.map { SuspendingClock.now + ContinuousClock.now.duration(to: $0) }
        promise.withLock { $0 = .resting(until: end) }
        defer { promise.withLock { $0 = .working(until: .now + patience) } }
        return try await body()
    }

    /// Runs `body`; each file that it opens is a sign of life.
    package func whileWorking<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Heartbeat.$current.withValue(self, operation: body)
    }

    /// When the next sign of life is promised; `nil` if the loop waits until something happens.
    package var due: SuspendingClock.Instant? {
        switch promise.withLock(\.self) {
        case .working(let end): end
        case .resting(let end): end
        }
    }

    /// Whether the promised sign of life is more than `grace` late.
    package func isLate(by grace: Duration) -> Bool {
        due.map { .now > $0 + grace } ?? false
    }
}
