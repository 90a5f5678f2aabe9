import APOD
import CommandLine
import Mirror
import Platform
import Service

/// The progress and the report of a sync.
extension SingleSync {
    /// The maximum number of problems that are logged.
    private static let maximumLines = 5

    /// Shows the progress of a sync, then its problems and its result.
    func show(_ events: SyncEvents, _ traffic: Monitor<Int>) async -> SyncSummary {
        var problems: [String] = []
        func record(_ event: SyncEvent) {
            switch event {
            case .planned: break
            case .problem(let text): problems.append(text)
            case .day(let outcome):
                if case .incomplete(let cause, let reason, _) = outcome.result,
                    !cause.isWithoutStill
                {
                    problems.append("\(outcome.day): \(reason)")
                }
            }
        }
        if settings.isQuiet {
            for await event in events { record(event) }
        } else {
            await ProgressDisplay(.error, traffic: traffic, limit: settings.bandwidth)
                .show(events, each: record)
        }
        let summary = await events.summary()
        logResult(summary, problems)
        return summary
    }

    /// Reports that there is no mirror, because NASA did not answer.
    static func report(_ error: FeedError, from feed: FeedKind, _ log: Log) -> ExitCode {
        var summary = SyncSummary()
        summary.obstacle = SyncSummary.Obstacle(ofRequest: error, to: feed)
        return report(summary, log)
    }

    /// Reports the end of a sync.
    ///
    /// - Returns: The exit code.
    static func report(_ summary: SyncSummary, _ log: Log) -> ExitCode {
        guard !Task.isCancelled else {
            log.error("apod-mirror: interrupted; run the command again to continue")
            return .missing
        }
        if let message = summary.message { log.error("apod-mirror: \(message)") }
        return summary.exitCode
    }

    /// Logs the first problems, and how many days were downloaded, edited and removed.
    private func logResult(_ summary: SyncSummary, _ problems: [String]) {
        let problems = problems.filter { $0 != summary.obstacle?.text }
        for problem in problems.prefix(Self.maximumLines) { log.warning(problem) }
        if problems.count > Self.maximumLines {
            log.warning(
                "and \(counted(problems.count - Self.maximumLines, "more problem")); “apod-mirror status --missing” lists those of days"
            )
        }
        guard summary.newest != nil else { return }
        var counts = [
            "downloaded: \(summary.downloaded) (\(ByteCount(summary.bytes)))",
            "edited: \(summary.edited)",
        ]
        if summary.withoutPicture > 0 {
            counts.append("without a picture at NASA: \(summary.withoutPicture)")
        }
        if summary.returned > 0 { counts.append("returned from the trash: \(summary.returned)") }
        if summary.removed > 0 {
            counts.append("removed: \(summary.removed) (\(ByteCount(summary.removedBytes)))")
        }
        let complete = "\(summary.complete) of \(counted(summary.expected, "day")) complete"
        log.info("\(complete); \(counts.joined(separator: ", "))")
    }
}

extension SyncSummary {
    var exitCode: ExitCode {
        switch obstacle?.kind {
        case .noSpace: .noSpace
        case .unreachable: .unreachable
        case .readOnly: .noMirror
        case .unusable, .localError, .oneDay: .failure
        case nil: missing > 0 ? .missing : .done
        }
    }

    /// Why days are missing after the sync, and what to do; `nil` if none is.
    var message: String? {
        let text = obstacle?.text ?? ""
        return switch obstacle?.kind {
        case .noSpace: "\(text); free disk space, or lower --min-free"
        case .unreachable:
            "cannot get NASA's list: \(text); check the network and --upstream, then run the command again"
        case .unusable:
            "the response is not a list of entries: \(text); check --upstream and --feed"
        case .readOnly: "\(text); remount it writable, then run the command again"
        case .localError, .oneDay:
            "\(text); check the disk and the limits (ulimit -a), then run the command again"
        case nil where missing > 0:
            "\(missing) of \(counted(expected, "day")) \(missing == 1 ? "is" : "are") missing; “apod-mirror status” lists the reasons"
        case nil: nil
        }
    }
}
