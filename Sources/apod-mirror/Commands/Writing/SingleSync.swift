import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run --once`: one sync, what follows from it, and the report.
struct SingleSync {
    let settings: Settings
    let log: Log

    func run(_ assembly: MirrorAssembly) async -> ExitCode {
        var code = ExitCode.done
        let run = await assembly.runOnce { events, traffic in
            let summary = await show(events, traffic)
            code = Self.report(summary, log)
            return summary
        }
        for failure in run.failures {
            code = report(failure.error, failure.text, after: code)
        }
        guard let thumbnails = run.thumbnails else { return code }
        return report(thumbnails, isAvailable: run.hasThumbnailer, after: code)
    }

    /// Reports that files could not be written; returns the exit code.
    private func report(_ error: SystemError?, _ text: String, after code: ExitCode) -> ExitCode {
        // A full disk was reported already.
        guard code != .noSpace, code != .noMirror else { return code }
        log.error("apod-mirror: \(text)")
        guard code == .done, let error else { return code == .done ? .failure : code }
        return error.isNoSpace ? .noSpace : error.isReadOnly ? .noMirror : .failure
    }

    /// Reports missing thumbnails.
    ///
    /// - Returns: The exit code. A thumbnailer that is not installed is no failure.
    private func report(
        _ summary: ThumbnailSummary, isAvailable: Bool, after code: ExitCode
    ) -> ExitCode {
        // A full disk was reported already.
        guard summary.missing > 0, !Task.isCancelled, code != .noSpace else { return code }
        let missing = "\(counted(summary.missing, "thumbnail is", "thumbnails are")) missing"
        guard summary.obstacle != .noSpace else {
            log.error(
                "apod-mirror: \(missing), because the disk is full; free disk space, or lower --min-free"
            )
            return [.done, .missing].contains(code) ? .noSpace : code
        }
        guard isAvailable else { return code }
        let reason = summary.reason.map { " (\($0))" } ?? ""
        log.error("apod-mirror: \(missing)\(reason); run the command again to retry")
        return code == .done ? .missing : code
    }
}
