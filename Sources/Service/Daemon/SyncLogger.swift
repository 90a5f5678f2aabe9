internal import APOD
package import Mirror
package import Platform

/// Logs the results of the daemon's syncs, a limited number of lines each.
///
/// ``MirrorService`` passes all events of a sync to ``record(_:)`` and then its summary to ``finish(_:at:)``. A problem
/// that recurs in consecutive syncs is logged once. So is the reason of a day that fails, until the day succeeds. An obstacle is
/// logged when it begins and when it ends.
package struct SyncLogger {
    /// What the events of the running sync have reported.
    private struct Round {
        var problems: [String] = []
        var notices: Set<String> = []
        var downloaded: [EntryOutcome] = []
        /// The days that failed, or that lack one of their files.
        var failedDays: [Day: DayProblem] = [:]
    }

    /// The time during which each sync meets the same kind of obstacle.
    private struct Outage {
        let kind: Obstacle.Kind
        let start: ContinuousClock.Instant
        /// Whether the log has the start, so that it must have the end.
        var isReported = false
    }

    /// The maximum number of problems that are logged for one sync; also of notices, of downloaded days, and of failed days of
    /// each kind.
    private static let maximumLines = 3
    /// The maximum number of reasons that are logged for a day: each attempt may have another one, such as another time.
    private static let maximumReasons = 5

    private let log: Log
    private var round = Round()
    /// `nil` if the last sync met no obstacle.
    private var outage: Outage?
    /// The logged problems that the last sync still had: they are not logged again.
    private var earlierProblems: Set<String> = []
    /// The notices of the last sync, which are not logged again.
    private var earlierNotices: Set<String> = []
    /// The reasons for which each day has failed since it last succeeded: they are not logged again.
    private var earlierReasons: [Day: [String]] = [:]

    package init(log: Log) {
        self.log = log
    }

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned: break
        case .problem(let text): round.problems.append(text)
        case .notice(let text):
            round.notices.insert(text)
            let isNew = !earlierNotices.contains(text)
            if isNew, round.notices.count <= Self.maximumLines { log.warning(text) }
        case .day(let outcome): record(outcome)
        }
    }

    private mutating func record(_ outcome: EntryOutcome) {
        if outcome.result.downloadedBytes != nil { round.downloaded.append(outcome) }
        switch outcome.result {
        case .incomplete(let problem), .missing(let problem), .partial(let problem, _, _):
            // A video without a still image is not missing.
            if !problem.cause.isWithoutStill { round.failedDays[outcome.day] = problem }
        case .downloaded, .edited, .removed, .unchanged:
            guard outcome.didRequestFiles else { return }
            round.failedDays[outcome.day] = nil
            earlierReasons[outcome.day] = nil
        case .cancelled, .noSpace: break
        }
    }

    /// Logs the result of the sync and prepares for the next.
    package mutating func finish(_ summary: SyncSummary, at now: ContinuousClock.Instant = .now) {
        logNumbers(summary)
        updateOutage(summary.obstacle, at: now)
        logFailedDays(during: summary.obstacle)
        logProblems(summary)
        earlierNotices = round.notices
        round = Round()
    }

    /// Logs the problems of the sync, and why it failed, unless a problem or a day says the same.
    private mutating func logProblems(_ summary: SyncSummary) {
        let reported = round.problems + round.failedDays.map { Self.line(about: $0, $1) }
        if let failure = summary.failure, !reported.contains(failure) {
            round.problems.append(failure)
        }
        // The obstacle was logged as an outage. A problem beyond the limit is logged after the next sync, if it recurs.
        let new = round.problems
            .filter { $0 != summary.obstacle?.text && !earlierProblems.contains($0) }
            .prefix(Self.maximumLines)
        for text in new { log.warning(text) }
        earlierProblems = earlierProblems.intersection(round.problems).union(new)
    }

    /// Logs how many days were downloaded, edited and removed.
    private func logNumbers(_ summary: SyncSummary) {
        if round.downloaded.count <= Self.maximumLines {
            for outcome in round.downloaded {
                log.info("downloaded \(outcome.day) “\(outcome.title?.excerpt ?? "")”")
            }
        } else {
            log.info(
                "downloaded \(round.downloaded.count) days, \(ByteCount(summary.downloadedBytes))")
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

    /// Logs why days have failed, the newest days first, without reasons that were logged before.
    private mutating func logFailedDays(during obstacle: Obstacle?) {
        let new = round.failedDays.sorted { $0.key > $1.key }.filter { day, problem in
            if let obstacle, obstacle.kind.explains(problem.cause) { return false }
            let earlier = earlierReasons[day] ?? []
            return !earlier.contains(problem.reason) && earlier.count < Self.maximumReasons
        }
        for cause in RetryState.Cause.allCases {
            let failures = new.filter { $0.value.cause == cause }
            let lines = failures.map { Self.line(about: $0, $1) }.limited(to: Self.maximumLines) {
                count in
                let lastShownDay = failures[Self.maximumLines - 1].key
                return "\(counted(count, "more day")) like \(lastShownDay);"
                    + " “apod-mirror status --missing” lists days with reasons"
            }
            for line in lines { log.warning(line) }
        }
        for (day, problem) in new { earlierReasons[day, default: []].append(problem.reason) }
    }

    private static func line(about day: Day, _ problem: DayProblem) -> String {
        "\(day): \(problem.advice)"
    }

    /// Logs the start and the end of an outage, once each.
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
        // `warning(_:about:)` omits a message that it logged within the last hour: then the next sync tries again.
        if !outage.isReported {
            outage.isReported = log.warning(obstacle.text, about: "\(obstacle.kind)")
        }
        self.outage = outage
    }
}

extension Obstacle.Kind {
    /// Whether days that failed by `cause` did so because of the obstacle, which is logged instead of them.
    fileprivate func explains(_ cause: RetryState.Cause) -> Bool {
        switch self {
        case .network, .clock: cause == .unreachable
        case .disk, .rights, .space: cause == .localError
        }
    }

    /// The message for the end of an outage: `NASA is reachable again after 25 min`.
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
