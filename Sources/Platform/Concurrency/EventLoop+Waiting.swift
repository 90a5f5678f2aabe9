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
                Interest([
                    onReadable(descriptor) { waiter.finish(.success(())) },
                    at(deadline) { waiter.finish(.success(())) },
                ])
            }
        } catch {
            throw CancellationError()
        }
    }

    /// What `body` gives on the loop's thread, which ends with the process and not before.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        var interest: Interest?
        let result = await withCheckedContinuation { continuation in
            interest = at(.now) { continuation.resume(returning: body()) }
        }
        return withExtendedLifetime(interest) { result }
    }
}
