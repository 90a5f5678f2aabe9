import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run --once`: one sync and what follows from it, as lines for people and an exit code for scripts.
struct SingleSync {
    /// The maximum number of problems that are logged.
    private static let maximumLines = 5

    let settings: Settings
    let log: Log

    func run(_ assembly: MirrorAssembly) async -> ExitCode {
        let run = await assembly.runOnce { events, receivedBytes in
            let problems = await showProgress(of: events, receivedBytes)
            let summary = await events.summary()
            logProblems(problems, of: summary)
            // Without an answer of NASA, there is nothing to count.
            if summary.newest != nil { logNumbers(summary) }
            logResult(summary)
            return summary
        }
        return finish(run)
    }

    /// Reports that the first request failed, so that no mirror was created.
    func reportFailedRequest(_ error: FeedError) -> ExitCode {
        var summary = SyncSummary()
        summary.obstacle = Obstacle(ofRequest: error, to: settings.feedKind)
        logResult(summary)
        return exitCode(of: summary)
    }

    /// Shows the progress of the sync until it ends, and returns sentences about its problems.
    private func showProgress(
        of events: SyncEvents, _ receivedBytes: SharedValue<Int>
    ) async -> [String] {
        var problems: [String] = []
        func collectProblem(of event: SyncEvent) {
            switch event {
            case .planned: break
            case .problem(let text), .notice(let text): problems.append(text)
            case .day(let outcome):
                if let problem = outcome.result.problem, !problem.cause.isWithoutStill {
                    problems.append("\(outcome.day): \(problem.reason)")
                }
            }
        }
        if settings.isQuiet {
            for await event in events { collectProblem(of: event) }
        } else {
            await ProgressDisplay(.error, traffic: receivedBytes, limit: settings.bandwidth)
                .show(events, each: collectProblem)
        }
        return problems
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
            "downloaded: \(summary.downloaded) (\(ByteCount(summary.bytes)))",
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

    /// Logs which favorites, views and thumbnails could not be written, and returns the exit code of the run.
    ///
    /// The first problem in this order decides the code: the sync, a failure to write, missing thumbnails. The one exception
    /// are thumbnails that a full disk prevents: they count more than missing days. A full disk is reported once.
    private func finish(_ run: SingleRun) -> ExitCode {
        var code = exitCode(of: run.summary)
        for failure in run.failures where code != .noSpace && code != .noMirror {
            log.error("apod-mirror: \(failure.text)")
            guard code == .done else { continue }
            code = failure.error.map { CommandError($0).code } ?? .failure
        }
        guard let thumbnails = run.thumbnails, thumbnails.missingCount > 0, !Task.isCancelled,
            code != .noSpace
        else { return code }
        log.error("apod-mirror: \(message(aboutMissing: thumbnails))")
        // Every other code counts more.
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
