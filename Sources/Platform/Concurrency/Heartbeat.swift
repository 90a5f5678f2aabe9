/// The heartbeat of a service: signalled once per iteration of its loop, and during long work.
///
/// Work on behalf of a service signals ``current`` for each file that it opens.
package final class Heartbeat: Sendable {
    /// The heartbeat of the service that this task works for.
    @TaskLocal package static var current: Heartbeat?

    private let waiters = Monitor<[CancellableContinuation]>([])

    package init() {}

    /// Signals progress to all waiting tasks.
    package func signal() { signalLater()() }

    /// Returns a closure that signals to the tasks that wait now, and not to those that wait later.
    package func signalLater() -> () -> Void {
        let waiting = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        return { for waiter in waiting { waiter.resume() } }
    }

    /// Waits for the next signal.
    ///
    /// - Parameter ping: Makes the service signal; called once this task is registered.
    /// - Throws: `CancellationError`
    package func next(_ ping: () -> Void) async throws {
        let waiter = CancellableContinuation()
        waiters.withLock { $0.append(waiter) }
        ping()
        try await waiter.wait()
    }
}
