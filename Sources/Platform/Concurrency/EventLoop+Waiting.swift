extension EventLoop {
    /// Resumes `waiter` when `descriptor` can be read, or at `deadline`; either may be missing.
    func resume(
        _ waiter: CancellableContinuation, onReadable descriptor: CInt? = nil,
        by deadline: ContinuousClock.Instant? = nil
    ) -> Registration {
        let resume: @Sendable () -> Void = { waiter.resume() }
        return Registration(
            [descriptor.map { onReadable($0, resume) }, deadline.map { at($0, resume) }]
                .compactMap(\.self))
    }

    /// Suspends the task until `descriptor` can be read or `deadline` has come, if there is one.
    func waitToRead(
        _ descriptor: CInt, until deadline: ContinuousClock.Instant?
    ) async throws(CancellationError) {
        do {
            try await CancellableContinuation().wait {
                resume($0, onReadable: descriptor, by: deadline)
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
