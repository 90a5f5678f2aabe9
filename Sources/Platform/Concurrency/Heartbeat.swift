/// The signs of life of one loop: it beats when it goes round, and while it gets on with something long.
///
/// Work that is done for a loop finds its pulse in ``current``: each file that is opened is a beat.
package final class Heartbeat: Sendable {
    /// That of the loop which this task works for.
    @TaskLocal package static var current: Heartbeat?

    private let waiters = Monitor<[CancellableContinuation]>([])

    package init() {}

    /// The loop has gone round, or got on.
    package func beat() {
        let waiting = waiters.withLock { waiters in
            guard !waiters.isEmpty else { return [CancellableContinuation]() }
            defer { waiters = [] }
            return waiters
        }
        for waiter in waiting { waiter.finish(.success(())) }
    }

    /// Waits for the next beat.
    ///
    /// - Parameter ask: Makes the loop go round, as soon as that is waited for.
    /// - Throws: `CancellationError`
    package func next(_ ask: () -> Void) async throws {
        let waiter = CancellableContinuation()
        waiters.withLock { $0.append(waiter) }
        ask()
        try await waiter.wait()
    }
}
