/// How tasks wait for ``EventLoop``.
extension EventLoop {
    /// Suspends the task until `descriptor` can be read or `deadline` has come; either may be missing.
    func wait(
        toRead descriptor: CInt? = nil, until deadline: ContinuousClock.Instant? = nil
    ) async throws(CancellationError) {
        do {
            try await CancellableContinuation().wait(onReadable: descriptor, by: deadline)
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
