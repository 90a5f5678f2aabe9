internal import APOD
package import Mirror
package import Platform

/// Turns what happens in passes into lines for the log: one a condition, few whatever happens.
package struct SyncLogger {
    private let log: Log
    /// What keeps passes from being whole, since when, and whether that was said.
    private var trouble: (kind: OutageKind, since: ContinuousClock.Instant, isSaid: Bool)?
    /// What was last said of smaller things, so that it is not said again until it changes.
    private var said: Set<String> = []
    private var problems: [String] = []
    private var kept: [EntryOutcome] = []

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
    package mutating func finish(
        _ summary: SyncSummary, at now: ContinuousClock.Instant = .now
    ) {
        tell(summary)
        let obstacle = summary.obstacle.map(OutageKind.of)
        judge(obstacle, at: now)
        for text in problems.prefix(Self.few) where text != obstacle?.text && !said.contains(text) {
            log.warning(text)
        }
        said = Set(problems)
        problems = []
        kept = []
    }

    private func tell(_ summary: SyncSummary) {
        if kept.count <= Self.few {
            for outcome in kept {
                log.info("\(outcome.day) “\(outcome.title?.excerpt ?? "")” is here")
            }
        } else {
            log.info("\(kept.count) days are here, \(ByteCount(summary.bytes))")
        }
        if summary.edited > 0 { log.info("\(summary.edited) edits by NASA taken over") }
        log.debug("\(summary.complete) of \(summary.wanted) wanted days are here")
    }

    /// Says once that there is trouble, and once that it is over.
    private mutating func judge(
        _ obstacle: (kind: OutageKind, text: String)?, at now: ContinuousClock.Instant
    ) {
        if let trouble, trouble.kind != obstacle?.kind {
            if trouble.isSaid {
                log.notice(trouble.kind.end(after: trouble.since.duration(to: now)))
            }
            self.trouble = nil
        }
        guard let obstacle else { return }
        var trouble = self.trouble ?? (obstacle.kind, now, false)
        // Where it was said less than an hour ago, for it comes and goes, it is said if it stays.
        if !trouble.isSaid {
            trouble.isSaid = log.warning(obstacle.text, about: "\(obstacle.kind)")
        }
        self.trouble = trouble
    }
}
