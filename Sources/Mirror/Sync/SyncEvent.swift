/// An event of a sync, sent as soon as it happens.
package enum SyncEvent: Sendable {
    /// This many more days will be requested.
    case planned(days: Int)
    /// A day is finished: a planned one, with any outcome, or one that `--keep` removes.
    case day(EntryOutcome)
    /// A failure that concerns no single day.
    case problem(String)
}

/// The events of one sync, to be consumed once.
package struct SyncEvents: AsyncSequence, Sendable {
    package typealias Failure = Never

    let events: AsyncStream<SyncEvent>
    let work: Task<SyncSummary, Never>

    package func makeAsyncIterator() -> AsyncStream<SyncEvent>.Iterator {
        events.makeAsyncIterator()
    }

    /// Waits until the sync has ended; cancellation makes it end soon.
    package func summary() async -> SyncSummary {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
