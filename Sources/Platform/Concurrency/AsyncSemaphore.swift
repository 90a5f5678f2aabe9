internal import Synchronization

/// Limits how many tasks run a piece of code at once; the others wait in order of arrival.
///
/// It is a class rather than an actor, so that a task takes a free permit without switching threads.
package final class AsyncSemaphore: Sendable {
    private struct SemaphoreState {
        var freePermits: Int
        /// The waiting tasks, in order of arrival.
        var waiting: [CancellableContinuation] = []

        /// Takes a free permit; returns `false` if there is none.
        mutating func take() -> Bool {
            guard freePermits > 0 else { return false }
            freePermits -= 1
            return true
        }

        /// Removes a task that no longer waits; returns `false` if it was given a permit before.
        mutating func remove(_ waiter: CancellableContinuation) -> Bool {
            guard let index = waiting.firstIndex(where: { $0 === waiter }) else { return false }
            waiting.remove(at: index)
            return true
        }
    }

    private let state: Mutex<SemaphoreState>

    /// At first `count` permits are free.
    package init(_ count: Int) {
        precondition(count >= 0, "the number of permits is negative")
        state = Mutex(SemaphoreState(freePermits: count))
    }

    /// Whether a task would get a permit without waiting.
    package var isFree: Bool { state.withLock { $0.freePermits > 0 } }
    /// The number of tasks that wait for a permit.
    var waitingTasks: Int { state.withLock(\.waiting.count) }

    /// A permit that is held until ``release()``, or until nothing refers to it.
    package final class Permit: Sendable {
        private let semaphore: Mutex<AsyncSemaphore?>

        fileprivate init(of semaphore: AsyncSemaphore) { self.semaphore = Mutex(semaphore) }

        deinit { release() }

        /// Releases the permit; a second call has no effect.
        package func release() {
            let semaphore = semaphore.withLock { semaphore in
                defer { semaphore = nil }
                return semaphore
            }
            semaphore?.addPermit()
        }
    }

    /// Takes a permit without waiting; `nil` if none is free.
    package func takeFreePermit() -> Permit? {
        state.withLock { $0.take() } ? Permit(of: self) : nil
    }

    /// Waits until a permit is free, and takes it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while no permit is free.
    package nonisolated(nonsending) func waitForPermit() async throws -> Permit {
        let waiter = CancellableContinuation()
        let isTaken = state.withLock { state in
            let isTaken = state.take()
            if !isTaken { state.waiting.append(waiter) }
            return isTaken
        }
        if isTaken { return Permit(of: self) }
        do {
            try await waiter.wait()
        } catch {
            // The task was given a permit just when it was cancelled. The next task gets that permit.
            if !state.withLock({ $0.remove(waiter) }) { addPermit() }
            throw error
        }
        return Permit(of: self)
    }

    /// Returns a permit: the first waiting task gets it.
    private func addPermit() {
        let next = state.withLock { state -> CancellableContinuation? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freePermits += 1
            return nil
        }
        next?.resume()
    }
}
