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
        var code = ExitCode.done
        let run = await assembly.runOnce { events, receivedBytes in
            let summary = await sync(events, receivedBytes)
            code = report(summary)
            return summary
        }
        for failure in run.failures {
            code = reportFailure(failure.text, failure.error, after: code)
        }
        if let thumbnails = run.thumbnails { code = reportMissing(thumbnails, after: code) }
        return code
    }

    /// Reports that the first request failed, so that no mirror was created.
    func reportFailedRequest(_ error: FeedError) -> ExitCode {
        var summary = SyncSummary()
        summary.obstacle = Obstacle(ofRequest: error, to: settings.feedKind)
        return report(summary)
    }

    // MARK: The sync

    /// Shows the progress of the sync until it ends, then its problems and its numbers.
    private func sync(_ events: SyncEvents, _ receivedBytes: SharedValue<Int>) async -> SyncSummary
    {
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
        let summary = await events.summary()
        // The obstacle, or the failure, is reported after the numbers.
        problems.filter { ![summary.obstacle?.text, summary.failure].contains($0) }
            .limited(to: Self.maximumLines) {
                counted($0, "more problem")
                    + "; “apod-mirror status --missing” lists days with reasons"
            }
            .forEach { log.warning($0) }
        // Without an answer of NASA, there is nothing to count.
        if summary.newest != nil { logNumbers(summary) }
        return summary
    }

    private func logNumbers(_ summary: SyncSummary) {
        var counts = [
            "downloaded: \(summary.downloaded) (\(ByteCount(summary.bytes)))",
            "edited: \(summary.edited)",
        ]
        if summary.withoutPicture > 0 {
            counts.append("without a picture at NASA: \(summary.withoutPicture)")
        }
        if summary.removed > 0 {
            counts.append("removed: \(summary.removed) (\(ByteCount(summary.removedBytes)))")
        }
        let complete = "\(summary.withFiles) of \(counted(summary.expected, "day")) complete"
        log.info("\(complete); \(counts.joined(separator: ", "))")
    }

    // MARK: Exit codes

    // Each of these methods logs what is wrong, and returns the exit code of the run as it is known by then.

    /// Reports why days are missing after the sync.
    private func report(_ summary: SyncSummary) -> ExitCode {
        guard !Task.isCancelled else {
            log.error("apod-mirror: interrupted; run the command again to continue")
            // The process ends with the code of the signal.
            return .missing
        }
        if let message = summary.message { log.error("apod-mirror: \(message)") }
        return summary.exitCode
    }

    /// Reports that files could not be written, unless the sync reported a full or read-only disk already.
    private func reportFailure(
        _ text: String, _ error: SystemError?, after code: ExitCode
    ) -> ExitCode {
        guard code != .noSpace, code != .noMirror else { return code }
        log.error("apod-mirror: \(text)")
        guard code == .done else { return code }
        return error.map { CommandError($0).code } ?? .failure
    }

    /// Reports missing thumbnails, unless the sync reported a full disk already.
    private func reportMissing(
        _ thumbnails: ThumbnailSummary, after code: ExitCode
    ) -> ExitCode {
        guard thumbnails.missing > 0, !Task.isCancelled, code != .noSpace else { return code }
        let missing = "\(counted(thumbnails.missing, "thumbnail is", "thumbnails are")) missing"
        guard !thumbnails.isDiskFull else {
            log.error(
                "apod-mirror: \(missing), because the disk is full; free disk space, or lower --min-free"
            )
            return [.done, .missing].contains(code) ? .noSpace : code
        }
        let reason = thumbnails.reason.map { " (\($0))" } ?? ""
        log.error("apod-mirror: \(missing)\(reason); run the command again to retry")
        return code == .done ? .missing : code
    }
}
