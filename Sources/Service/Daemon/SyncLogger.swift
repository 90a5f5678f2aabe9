package import Mirror
package import Platform

/// Logs the results of the daemon's syncs, a limited number of lines each.
///
/// ``MirrorService`` passes all events of a sync to ``record(_:)`` and then its summary to ``finish(_:at:)``. A
/// problem that recurs in consecutive syncs is logged once; an obstacle to the whole sync at its start and its end.
package struct SyncLogger {
    private let log: Log
    /// The obstacle that the last sync met; `nil` if there was none.
    private var outage: Outage?
    /// The problems of the last sync that were logged, which are not logged again.
    private var reported: Set<String> = []
    /// The problems of this sync: at most one for each day and each failed request.
    private var problems: [String] = []
    /// The days that this sync downloaded, in about a minute of a backlog.
    private var downloaded: [EntryOutcome] = []

    /// An obstacle that several syncs in a row met.
    private struct Outage {
        let kind: SyncSummary.Obstacle.Kind
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
        case .day(let outcome):
            if case .downloaded = outcome.result { downloaded.append(outcome) }
        }
    }

    /// Logs the result of the sync and prepares for the next.
    package mutating func finish(_ summary: SyncSummary, at now: ContinuousClock.Instant = .now) {
        report(summary)
        updateOutage(summary.obstacle, at: now)
        // The obstacle was logged as an outage. Problems above the limit are logged after the next sync that has them.
        let new = problems.filter { $0 != summary.obstacle?.text && !reported.contains($0) }
            .prefix(Self.maximumLines)
        for text in new { log.warning(text) }
        reported = reported.intersection(problems).union(new)
        problems = []
        downloaded = []
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
        _ obstacle: SyncSummary.Obstacle?, at now: ContinuousClock.Instant
    ) {
        // A disk that becomes read-only after other errors is no new outage.
        let kind = obstacle?.kind == .readOnly ? .localError : obstacle?.kind
        if let outage, outage.kind != kind {
            if outage.isReported {
                log.notice(outage.kind.endMessage(after: outage.start.duration(to: now)))
            }
            self.outage = nil
        }
        guard let obstacle, let kind else { return }
        var outage = self.outage ?? Outage(kind: kind, start: now)
        // The log suppresses a kind that it had within the last hour: later syncs try again.
        if !outage.isReported {
            outage.isReported = log.warning(obstacle.text, about: "\(kind)")
        }
        self.outage = outage
    }
}

extension SyncSummary.Obstacle.Kind {
    /// The message for the end of an outage.
    fileprivate func endMessage(after time: Duration) -> String {
        let minutes = Int(time / .seconds(60))
        let span = minutes < 120 ? "\(max(minutes, 1)) min" : "\(minutes / 60) h"
        return switch self {
        case .unreachable: "NASA is reachable again after \(span)"
        case .unusable: "NASA's list is readable again after \(span)"
        case .noSpace: "there is free disk space again after \(span)"
        case .readOnly, .localError: "the mirror can be used again after \(span)"
        case .oneDay: "all files can be written again after \(span)"
        }
    }
}
