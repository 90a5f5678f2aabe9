import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run --once`: one sync and what follows from it, as lines for people and an exit code for scripts.
///
/// The exit code is that of the sync; if that went well, the code of a favorite or a view that could not be written, or of a
/// damaged file that could not be repaired. Missing thumbnails count last, but a disk that is too full for them counts more than
/// missing days.
struct SingleSync {
    /// The maximum number of problems that are logged.
    private static let maximumLines = 5

    let settings: Settings
    let log: Log

    func run(_ assembly: MirrorAssembly) async -> ExitCode {
        let run = await assembly.runOnce { events, receivedBytes in
            let problems = await follow(events, receivedBytes)
            let summary = await events.summary()
            logProblems(problems, of: summary)
            // Without an answer of NASA, there is nothing to count.
            if summary.newest != nil { logNumbers(summary) }
            logResult(summary)
            return summary
        }
        let code = report(run.failures, after: exitCode(of: run.summary))
        return report(run.thumbnails, after: code)
    }

    /// Reports that the first request failed, so that no mirror was created.
    func reportFailedRequest(_ error: FeedError) -> ExitCode {
        var summary = SyncSummary()
        summary.obstacle = Obstacle(ofRequest: error, to: settings.feedKind)
        logResult(summary)
        return exitCode(of: summary)
    }

    // MARK: The sync

    /// Shows the progress of the sync until it ends, unless the run is quiet; returns sentences about its problems.
    private func follow(
        _ events: SyncEvents, _ receivedBytes: SharedValue<Int>
    ) async -> [String] {
        var problems: [String] = []
        if settings.isQuiet {
            for await event in events { problems += Self.problems(of: event) }
        } else {
            await ProgressDisplay(.error, traffic: receivedBytes, limit: settings.bandwidth)
                .show(events) { problems += Self.problems(of: $0) }
        }
        return problems
    }

    private static func problems(of event: SyncEvent) -> [String] {
        switch event {
        case .planned: return []
        case .problem(let text), .notice(let text): return [text]
        case .day(let outcome):
            guard let problem = outcome.result.problem, !problem.cause.isWithoutStill else {
                return []
            }
            return ["\(outcome.day): \(problem.reason)"]
        }
    }

    private func logProblems(_ problems: [String], of summary: SyncSummary) {
        // The sync also sends its obstacle and its failure as problems, with the same text. They follow the numbers.
        let reportedLater = [summary.obstacle?.text, summary.failure]
        problems.filter { !reportedLater.contains($0) }
            .limited(to: Self.maximumLines) {
                counted($0, "more problem")
                    + "; “apod-mirror status --missing” lists days with reasons"
            }
            .forEach { log.warning($0) }
    }

    private func logNumbers(_ summary: SyncSummary) {
        var counts = [
            "downloaded: \(summary.downloaded) (\(ByteCount(summary.downloadedBytes)))",
            "edited: \(summary.edited)",
        ]
        if summary.unknown > 0 { counts.append("unknown: \(summary.unknown)") }
        if summary.withoutPicture > 0 {
            counts.append("without a picture at NASA: \(summary.withoutPicture)")
        }
        if summary.removed > 0 {
            counts.append("removed: \(summary.removed) (\(ByteCount(summary.removedBytes)))")
        }
        let complete = "\(summary.withFiles) of \(counted(summary.expected, "day")) complete"
        log.info("\(complete); \(counts.joined(separator: ", "))")
    }

    /// Logs why days are missing after the sync, if any are.
    private func logResult(_ summary: SyncSummary) {
        if Task.isCancelled {
            log.error("apod-mirror: interrupted; run the command again to continue")
        } else if let message = summary.message {
            log.error("apod-mirror: \(message)")
        }
    }

    private func exitCode(of summary: SyncSummary) -> ExitCode {
        // After a signal, the process ends with the code of the signal instead.
        Task.isCancelled ? .missing : summary.exitCode
    }

    // MARK: After the sync

    /// Logs which favorites and views could not be written; returns the exit code of the run, which had `code` so far.
    private func report(_ failures: [WriteFailure], after code: ExitCode) -> ExitCode {
        var code = code
        for failure in failures {
            // It was reported that the disk is full or cannot be written, which is the cause of this failure, too.
            if code == .noSpace || code == .noMirror { break }
            log.error("apod-mirror: \(failure.text)")
            if code == .done { code = failure.exitCode }
        }
        return code
    }

    /// Logs how many thumbnails are missing; returns the exit code of the run, which had `code` so far.
    private func report(_ thumbnails: ThumbnailSummary?, after code: ExitCode) -> ExitCode {
        guard let thumbnails, thumbnails.missingCount > 0, !Task.isCancelled else { return code }
        // A full disk is reported once.
        guard code != .noSpace else { return code }
        log.error("apod-mirror: \(message(aboutMissing: thumbnails))")
        // Missing thumbnails are no worse than missing days, but a full disk is: only a person can end it.
        guard code == .done || code == .missing else { return code }
        return thumbnails.isDiskFull ? .noSpace : .missing
    }

    private func message(aboutMissing thumbnails: ThumbnailSummary) -> String {
        let count = thumbnails.missingCount
        let missing = "\(counted(count, "thumbnail is", "thumbnails are")) missing"
        if thumbnails.isDiskFull {
            return "\(missing), because the disk is full; free disk space, or lower --min-free"
        }
        let reason = thumbnails.firstReason.map { " (\($0))" } ?? ""
        return "\(missing)\(reason); run the command again to retry"
    }
}
