import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct AsyncSemaphoreTests {
    @Test func aFreePermitIsTakenWithoutWaiting() async throws {
        let semaphore = AsyncSemaphore(2)
        let permits = [try await semaphore.waitForPermit(), try await semaphore.waitForPermit()]
        #expect(semaphore.waitingTasks == 0)
        withExtendedLifetime(permits) {}
    }

    @Test func waitingTasksGetPermitsInOrderOfArrival() async throws {
        let semaphore = AsyncSemaphore(1)
        let first = try await semaphore.waitForPermit()
        let (order, sender) = AsyncStream.makeStream(of: Int.self)
        var tasks: [Task<Void, any Error>] = []
        for number in 1...3 {
            tasks.append(
                Task {
                    let permit = try await semaphore.waitForPermit()
                    sender.yield(number)
                    permit.release()
                })
            await untilWaiting(number, for: semaphore)
        }
        first.release()
        for task in tasks { try await task.value }
        sender.finish()
        var received: [Int] = []
        for await number in order { received.append(number) }
        #expect(received == [1, 2, 3])
    }

    @Test func aSecondReleaseAddsNoPermit() async throws {
        let semaphore = AsyncSemaphore(1)
        let permit = try await semaphore.waitForPermit()
        permit.release()
        permit.release()
        let held = try await semaphore.waitForPermit()
        let waiter = Task { try await semaphore.waitForPermit() }
        await untilWaiting(1, for: semaphore)
        held.release()
        _ = try await waiter.value
    }

    @Test func aPermitThatNothingRefersToIsFree() async throws {
        let semaphore = AsyncSemaphore(1)
        for _ in 1...3 { _ = try await semaphore.waitForPermit() }
        #expect(semaphore.waitingTasks == 0)
    }

    @Test func aCancelledTaskLeavesTheQueueAndTakesNoPermit() async throws {
        let semaphore = AsyncSemaphore(1)
        let held = try await semaphore.waitForPermit()
        let cancelled = Task { _ = try await semaphore.waitForPermit() }
        await untilWaiting(1, for: semaphore)
        let next = Task { _ = try await semaphore.waitForPermit() }
        await untilWaiting(2, for: semaphore)

        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(semaphore.waitingTasks == 1)
        held.release()
        try await next.value
    }

    /// The permit that a task gets in the moment of its cancellation is used or passed on, never lost.
    @Test func noPermitIsLostWhenATaskIsCancelledAsItGetsOne() async throws {
        let semaphore = AsyncSemaphore(1)
        for round in 0..<500 {
            let held = try await semaphore.waitForPermit()
            let task = Task { _ = try await semaphore.waitForPermit() }
            if round.isMultiple(of: 2) { await untilWaiting(1, for: semaphore) }
            async let release: Void = held.release()
            task.cancel()
            await release
            _ = await task.result
            // It would wait until the limit of time.
            try await semaphore.waitForPermit().release()
        }
    }

    private func untilWaiting(_ count: Int, for semaphore: AsyncSemaphore) async {
        while semaphore.waitingTasks < count { await Task.yield() }
    }
}
