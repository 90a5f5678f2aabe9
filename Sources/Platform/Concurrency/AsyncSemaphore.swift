/// Limits how many tasks run a piece of code at once; the others wait in order of arrival.
package actor AsyncSemaphore {
    private var free: Int
    private var waiting: [CancellableContinuation] = []

    package init(_ count: Int) {
        free = count
    }

    /// Waits for a permit and runs `body` with it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package nonisolated(nonsending) func withPermit<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await acquire()
        do {
            let result = try await body()
            await release()
            return result
        } catch {
            await release()
            throw error
        }
    }

    /// Adds a permit.
    package func addPermit() { release() }

    private func acquire() async throws {
        guard free == 0 else {
            free -= 1
            return
        }
        let waiter = CancellableContinuation()
        waiting.append(waiter)
        do {
            try await waiter.wait()
        } catch {
            // Cancelled: a permit that was granted at the same time goes to the next task.
            if let index = waiting.firstIndex(where: { $0 === waiter }) {
                waiting.remove(at: index)
            } else {
                release()
            }
            throw error
        }
    }

    private func release() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
