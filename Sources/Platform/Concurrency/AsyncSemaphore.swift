internal import Synchronization

/// Limits how many tasks run a piece of code at once; the others wait in order of arrival.
///
/// Not an actor: taking a free permit does not switch threads.
package final class AsyncSemaphore: Sendable {
    private struct SemaphoreState {
        var free: Int
        /// One a waiting task: the tasks are the bound.
        var waiting: [CancellableContinuation] = []
    }

    private let state: Mutex<SemaphoreState>

    /// At first `count` permits are free.
    package init(_ count: Int) {
        precondition(count >= 0)
        state = Mutex(SemaphoreState(free: count))
    }

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

    /// Waits for a permit; a cancelled task gets one that is free, or throws `CancellationError`.
    package nonisolated(nonsending) func permit() async throws -> Permit {
        let waiter = CancellableContinuation()
        let isFree = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append(waiter)
            return false
        }
        if isFree { return Permit(of: self) }
        do {
            try await waiter.wait()
        } catch {
            // Cancelled: a permit that was granted at the same time goes to the next task.
            let isWaiting = state.withLock { state in
                let index = state.waiting.firstIndex { $0 === waiter }
                if let index { state.waiting.remove(at: index) }
                return index != nil
            }
            if !isWaiting { addPermit() }
            throw error
        }
        return Permit(of: self)
    }

    /// Adds a permit, which the first waiting task gets; it raises the limit.
    package func addPermit() {
        let next = state.withLock { state -> CancellableContinuation? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// The permits of one piece of work for which others wait: it releases all of them together, and goes on.
package final class HeldPermits: Sendable {
    /// `nil` once they are released.
    private let permits = Mutex<[AsyncSemaphore.Permit]?>([])

    package init(_ permits: AsyncSemaphore.Permit...) { permits.forEach(add) }

    /// Adds a permit, which is released at once if the others are.
    package func add(_ permit: AsyncSemaphore.Permit) {
        let isHeld = permits.withLock { permits in
            permits?.append(permit)
            return permits != nil
        }
        if !isHeld { permit.release() }
    }

    /// Releases all permits; a second call has no effect.
    package func release() {
        let held = permits.withLock { permits in
            defer { permits = nil }
            return permits
        }
        held?.forEach { $0.release() }
    }
}
