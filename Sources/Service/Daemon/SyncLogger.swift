package import Mirror
package import Platform

/// Logs the events of syncs: each condition once, a limited number of lines per sync.
package struct SyncLogger {
    private let log: Log
    /// The current outage, its start, and whether it was reported.
    private var outage: (kind: OutageKind, since: ContinuousClock.Instant, isReported: Bool)?
    /// The problems of the last sync that were logged, which are not logged again.
    private var reported: Set<String> = []
    private var problems: [String] = []
    private var downloaded: [EntryOutcome] = []

    /// The maximum number of days that are logged one by one.
    private static let maximumLines = 3

    package init(log: Log) {
        self.log = log
    }

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned, .alive: break
        case .notice(let text): log.notice(text)
        case .problem(let text): problems.append(text)
        case .day(let outcome):
            if case .downloaded = outcome.result { downloaded.append(outcome) }
        }
    }

    /// Logs the result of the sync and prepares for the next.
    package mutating func finish(
        _ summary: SyncSummary, at now: ContinuousClock.Instant = .now
    ) {
        report(summary)
        let obstacle = summary.obstacle.map(OutageKind.of)
        updateOutage(obstacle, at: now)
        let new = problems.filter { $0 != obstacle?.text && !reported.contains($0) }
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
        if summary.returned > 0 {
            log.info("returned \(counted(summary.returned, "day")) from the trash")
        }
        if summary.removed > 0 {
            log.notice(
                "removed \(counted(summary.removed, "day")), \(ByteCount(summary.removedBytes)), that --keep"
                    + " excludes; the trash keeps them for \(Store.daysInTrash) days")
        }
        log.debug("\(summary.complete) of \(summary.expected) wanted days are complete")
    }

    /// Reports the start and the end of an outage, once each.
    private mutating func updateOutage(
        _ obstacle: (kind: OutageKind, text: String)?, at now: ContinuousClock.Instant
    ) {
        if let outage, outage.kind != obstacle?.kind {
            if outage.isReported {
                log.notice(outage.kind.end(after: outage.since.duration(to: now)))
            }
            self.outage = nil
        }
        guard let obstacle else { return }
        var outage = self.outage ?? (obstacle.kind, now, false)
        // A kind of outage that was reported less than an hour ago is reported again only if it lasts.
        if !outage.isReported {
            outage.isReported = log.warning(obstacle.text, about: "\(obstacle.kind)")
        }
        self.outage = outage
    }
}

/// The kind of an obstacle, without its details.
package enum OutageKind: Hashable, Sendable {
    case unreachable, unusable, noSpace, failed

    /// The kind and the message of an obstacle.
    package static func of(_ obstacle: SyncSummary.Obstacle) -> (kind: OutageKind, text: String) {
        switch obstacle {
        case .unreachable(let text): (.unreachable, text)
        case .unusable(let text): (.unusable, text)
        case .noSpace(let text): (.noSpace, text)
        case .readOnly(let text), .localError(let text): (.failed, text)
        }
    }

    /// The message for its end.
    func end(after time: Duration) -> String {
        let minutes = Int(time / .seconds(60))
        let span = minutes < 120 ? "\(max(minutes, 1)) min" : "\(minutes / 60) h"
        return switch self {
        case .unreachable: "NASA is reachable again after \(span)"
        case .unusable: "NASA's list is readable again after \(span)"
        case .noSpace: "there is free disk space again after \(span)"
        case .failed: "the mirror can be used again after \(span)"
        }
    }
}
