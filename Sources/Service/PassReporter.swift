internal import APOD
package import Mirror
package import Platform

/// Turns what happens in passes into lines for the log: one a condition, few whatever happens.
package struct PassReporter {
    private let log: Log
    /// What was last said of each kind of trouble, so that it is not said again until it changes.
    private var said: Set<String> = []
    private var problems: [String] = []
    private var kept: [DayOutcome] = []

    /// Days that are told of one by one; more of them become a number.
    private static let few = 3

    package init(log: Log) {
        self.log = log
    }

    package mutating func take(_ event: SyncEvent) {
        switch event {
        case .planned, .alive: break
        case .problem(let text): problems.append(text)
        case .day(let outcome):
            if case .kept = outcome.result { kept.append(outcome) }
        }
    }

    /// Says what the pass came to, and is ready for the next.
    package mutating func finish(_ summary: SyncSummary) {
        if kept.count <= Self.few {
            for outcome in kept { log.info("\(outcome.day) “\(outcome.title ?? "")” is here") }
        } else {
            log.info("\(kept.count) days are here, \(ByteCount(summary.bytes))")
        }
        if summary.edited > 0 { log.info("\(summary.edited) edits by NASA taken over") }
        for text in problems.prefix(Self.few) where !said.contains(text) { log.warning(text) }
        if !said.isEmpty, problems.isEmpty { log.notice("NASA is within reach again") }
        said = Set(problems)
        problems = []
        kept = []
    }
}
