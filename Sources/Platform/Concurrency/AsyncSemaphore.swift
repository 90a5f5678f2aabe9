/// Limits how many tasks run a piece of code at once; the others wait, in the order of arrival.
package actor AsyncSemaphore {
    private var free: Int
    private var waiting: [CancellableContinuation] = []

    package init(_ count: Int) {
        free = count
    }

    /// Runs `body` in a place of its own.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    package nonisolated(nonsending) func within<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await take()
        do {
            let result = try await body()
            await give()
            return result
        } catch {
            await give()
            throw error
        }
    }

    /// Opens one more place.
    package func add() { give() }

    private func take() async throws {
        guard free == 0 else {
            free -= 1
            return
        }
        let waiter = CancellableContinuation()
        waiting.append(waiter)
        do {
            try await waiter.wait()
        } catch {
            // Cancelled. The place may have been handed over in the same moment: pass it on.
            if let index = waiting.firstIndex(where: { $0 === waiter }) {
                waiting.remove(at: index)
            } else {
                give()
            }
            throw error
        }
    }

    private func give() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().finish(.success(()))
        }
    }
}
