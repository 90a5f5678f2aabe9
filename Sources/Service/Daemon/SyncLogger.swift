package import Mirror
package import Platform

/// Logs the results of the daemon's syncs, a limited number of lines each.
///
/// ``MirrorService`` passes all events of a sync to ``record(_:)`` and then its summary to ``finish(_:at:)``. A
/// problem that recurs in consecutive syncs is logged once; an obstacle at its start and its end.
package struct SyncLogger {
    private let log: Log
    /// The obstacle that the last sync met; `nil` if there was none.
    private var outage: Outage?
    /// The problems of the last sync that were logged, which are not logged again.
    private var reported: Set<String> = []
    /// The problems of this sync: at most one for each day and each failed request.
    private var problems: [String] = []
    /// The notices of this sync and of the one before, which are not logged again.
    private var notices: Set<String> = []
    private var lastNotices: Set<String> = []
    /// The days that this sync downloaded, in about a minute of a backlog.
    private var downloaded: [EntryOutcome] = []
    /// The first day of this sync that an error of this machine kept away, and the error.
    private var firstLocalError: String?

    /// An obstacle that several syncs in a row met.
    private struct Outage {
        let kind: Obstacle.Kind
        let start: ContinuousClock.Instant
        var isReported = false
    }

    /// The maximum number of days that are logged one by one.
    private static let maximumLines = 3

    package init(log: Log) {
        self.log = log
    }

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned: break
        case .problem(let text): problems.append(text)
        case .notice(let text):
            notices.insert(text)
            if !lastNotices.contains(text), notices.count <= Self.maximumLines { log.warning(text) }
        case .day(let outcome):
            if case .downloaded = outcome.result { downloaded.append(outcome) }
            if let problem = outcome.result.problem, problem.cause == .localError {
                // The days after it most often have the same.
                firstLocalError = firstLocalError ?? "\(outcome.day): \(problem.reason)"
            }
        }
    }

    /// Logs the result of the sync and prepares for the next.
    package mutating func finish(_ summary: SyncSummary, at now: ContinuousClock.Instant = .now) {
        report(summary)
        updateOutage(summary.obstacle, at: now)
        if let text = summary.failure ?? (summary.obstacle == nil ? firstLocalError : nil) {
            problems.append(text)
        }
        // The obstacle was logged as an outage. Problems above the limit are logged after the next sync that has them.
        let new = problems.filter { $0 != summary.obstacle?.text && !reported.contains($0) }
            .prefix(Self.maximumLines)
        for text in new { log.warning(text) }
        reported = reported.intersection(problems).union(new)
        problems = []
        (lastNotices, notices) = (notices, [])
        downloaded = []
        firstLocalError = nil
    }

    private func report(_ summary: SyncSummary) {
        if downloaded.count <= Self.maximumLines {
            for outcome in downloaded {
                log.info("downloaded \(outcome.day) “\(outcome.title?.excerpt ?? "")”")
            }
        } else {
            log.info("downloaded \(downloaded.count) days, \(ByteCount(summary.bytes))")
        }
        if summary.edited > 0 {
            log.info("updated \(counted(summary.edited, "day")) edited by NASA")
        }
        if summary.removed > 0 {
            log.notice(
                "removed \(counted(summary.removed, "day")), \(ByteCount(summary.removedBytes)), that --keep"
                    + " excludes")
        }
        log.debug("\(summary.withFiles) of \(summary.expected) wanted days are here")
    }

    /// Reports the start and the end of an outage, once each.
    private mutating func updateOutage(
        _ obstacle: Obstacle?, at now: ContinuousClock.Instant
    ) {
        if let outage, outage.kind != obstacle?.kind {
            if outage.isReported {
                log.notice(outage.kind.endMessage(after: outage.start.duration(to: now)))
            }
            self.outage = nil
        }
        guard let obstacle else { return }
        var outage = self.outage ?? Outage(kind: obstacle.kind, start: now)
        // The log suppresses a kind that it had within the last hour: later syncs try again.
        if !outage.isReported {
            outage.isReported = log.warning(obstacle.text, about: "\(obstacle.kind)")
        }
        self.outage = outage
    }
}

extension Obstacle.Kind {
    /// The message for the end of an outage.
    fileprivate func endMessage(after time: Duration) -> String {
        let minutes = Int(time / .seconds(60))
        let span = minutes < 120 ? "\(max(minutes, 1)) min" : "\(minutes / 60) h"
        return switch self {
        case .network: "NASA is reachable again after \(span)"
        case .space: "there is free disk space again after \(span)"
        case .clock: "the clock is right again after \(span)"
        case .disk, .rights: "the mirror can be written again after \(span)"
        }
    }
}
