package import APOD
package import FoundationEssentials

/// What a pass tells while it works, each thing as soon as it is so.
package enum SyncEvent: Sendable {
    /// So many more days are to be looked for.
    case planned(days: Int)
    /// A day is done with, whatever became of it.
    case day(EntryOutcome)
    /// Nothing: somebody asked by ``SyncEvents/ask()`` whether the pass still works.
    case alive
    /// Something about no day in particular went wrong.
    case problem(String)
}

/// What happens in one pass, to be consumed once.
package struct SyncEvents: AsyncSequence, Sendable {
    package typealias Failure = Never

    let events: AsyncStream<SyncEvent>
    let work: Task<SyncSummary, Never>
    let question: @Sendable () -> Void

    package func makeAsyncIterator() -> AsyncStream<SyncEvent>.Iterator {
        events.makeAsyncIterator()
    }

    /// Asks the pass for an ``SyncEvent/alive``, which comes by the way that all events take.
    package func ask() { question() }

    /// Waits until the pass is over, also one that was cancelled: then nothing is under way any more.
    package func summary() async -> SyncSummary { await work.value }
}

/// What a pass came to.
package struct SyncSummary: Hashable, Sendable {
    /// Why a pass could not do all that it wanted.
    package enum Obstacle: Hashable, Sendable {
        /// NASA could not be reached.
        case unreachable(String)
        /// NASA's answer is no list of entries.
        case unusable(String)
        case noSpace(String)
        /// The file system is read-only.
        case readOnly(String)
        case failed(String)
    }

    /// The newest day that NASA has published.
    package var newest: Day?
    /// The newest day that is had.
    package var newestComplete: Day?
    /// How many days are wanted, how many of them are had, and for how many NASA published no picture.
    package var wanted = 0
    package var complete = 0
    package var withoutPicture = 0
    package var kept = 0
    package var edited = 0
    package var bytes = 0
    package var obstacle: Obstacle?
    /// When NASA was last reached, in this pass or before.
    package var lastSuccess: Date?
    /// When the first of the days that are not had is to be looked for.
    package var nextLook: Date?

    package var missing: Int { wanted - complete - withoutPicture }

    package var isOutOfSpace: Bool {
        if case .noSpace = obstacle { return true }
        return false
    }

    /// What both passes came to.
    func adding(_ earlier: SyncSummary) -> SyncSummary {
        var sum = self
        sum.kept += earlier.kept
        sum.edited += earlier.edited
        sum.bytes += earlier.bytes
        return sum
    }

    package init() {}

    /// A pass that could not begin.
    init(failing obstacle: Obstacle) {
        self.obstacle = obstacle
    }
}
