internal import Platform

/// An event of a sync, sent as soon as it happens; texts are for people.
package enum SyncEvent: Sendable {
    /// So many more days will be requested.
    case planned(days: Int)
    /// A day has an outcome, such as a download, a failure, or a removal by `--keep`.
    case day(EntryOutcome)
    /// A failure that does not concern a single day, or should be logged in any case.
    case problem(String)
    /// What will happen to a file of a person. Each sync sends it until then.
    case notice(String)
}

/// One running sync, as ``Synchronizer/sync(retry:reusesWalk:)`` returns it: its events, for a single reader, and its result.
package struct SyncEvents: AsyncSequence, Sendable {
    package typealias Failure = Never

    let events: AsyncStream<SyncEvent>
    let work: Task<SyncSummary, Never>
    let endRequest: CancellableContinuation

    package func makeAsyncIterator() -> AsyncStream<SyncEvent>.Iterator {
        events.makeAsyncIterator()
    }

    /// Ends the sync soon after NASA has answered; its downloads go on, and the next sync downloads the other days.
    package func end() { endRequest.resume() }

    /// Waits for the end of the sync, and returns its result; a cancellation of the caller cancels the sync.
    package func summary() async -> SyncSummary {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
