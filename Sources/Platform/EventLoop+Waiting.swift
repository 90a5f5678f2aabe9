internal import Glibc

extension EventLoop {
    /// Suspends the task until `descriptor` can be read or `deadline` has come.
    ///
    /// - Throws: `CancellationError`.
    func waitToRead(
        _ descriptor: CInt, until deadline: ContinuousClock.Instant
    ) async throws(CancellationError) {
        do {
            try await Waiter().wait { waiter in
                Interest([
                    onReadable(descriptor) { waiter.finish(.success(())) },
                    at(deadline) { waiter.finish(.success(())) },
                ])
            }
        } catch {
            throw CancellationError()
        }
    }
}
