internal import Glibc

extension EventLoop {
    /// Suspends the task until `descriptor` can be read or `deadline` has come.
    ///
    /// - Throws: `CancellationError`.
    func waitToRead(
        _ descriptor: CInt, until deadline: ContinuousClock.Instant
    ) async throws(CancellationError) {
        do {
            try await CancellableContinuation().wait { waiter in
                Registration([
                    onReadable(descriptor) { waiter.resume() },
                    at(deadline) { waiter.resume() },
                ])
            }
        } catch {
            throw CancellationError()
        }
    }

    /// Runs `body` on the loop's thread, which exists as long as the process.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        var registration: Registration?
        let result = await withCheckedContinuation { continuation in
            registration = at(.now) { continuation.resume(returning: body()) }
        }
        return withExtendedLifetime(registration) { result }
    }
}
