/// How tasks wait for ``EventLoop``.
extension EventLoop {
    /// Resumes `waiter` when `descriptor` can be read, or at `deadline`; either may be missing.
    func resume(
        _ waiter: CancellableContinuation, onReadable descriptor: CInt? = nil,
        by deadline: ContinuousClock.Instant? = nil
    ) -> Registration {
        let resume: @Sendable () -> Void = { waiter.resume() }
        let registrations = [
            descriptor.map { onReadable($0, resume) }, deadline.map { at($0, resume) },
        ]
        return Registration { for registration in registrations { registration?.cancel() } }
    }

    /// Suspends the task until `descriptor` can be read or `deadline` has come; either may be missing.
    func wait(
        toRead descriptor: CInt? = nil, until deadline: ContinuousClock.Instant? = nil
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
