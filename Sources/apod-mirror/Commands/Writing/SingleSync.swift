import CommandLine
import Gallery
import Mirror
import Platform
import Service

/// `apod-mirror run --once`: one sync, and what follows from it.
struct SingleSync {
    let settings: Settings
    let log: Log
    let assembly: DaemonAssembly

    func run() async -> ExitCode {
        // Before the sync, to download favorites first; after it, to link the new days.
        let first = await assembly.favorites.scanOnce()
        var code = await sync()
        let second = await assembly.favorites.scanOnce()
        if let error = first ?? second {
            code = report(error, "cannot record all favorites: \(error)", after: code)
        }
        verifySuspects()
        code = await thumbnails(after: code)
        assembly.metrics.writeOnce(hasDownloaded: assembly.synchronizer.traffic.withLock { $0 > 0 })
        for service in [assembly.gallery, assembly.sidecars, assembly.derived].compactMap(\.self) {
            guard !Task.isCancelled, let error = await service.refresh() else { continue }
            code = report(error as? SystemError, service.text(of: error), after: code)
        }
        return code
    }

    /// Reports that files could not be written; returns the exit code.
    private func report(
        _ error: SystemError?, _ text: String, after code: ExitCode
    ) -> ExitCode {
        // A full disk was reported already.
        guard code != .noSpace, code != .noMirror else { return code }
        log.error("apod-mirror: \(text)")
        guard code == .done, let error else { return code == .done ? .failure : code }
        return error.isNoSpace ? .noSpace : error.isReadOnly ? .noMirror : .failure
    }

    /// Verifies the days with known damage again, which the sync may have repaired.
    private func verifySuspects() {
        let suspects = assembly.verification.suspects
        guard !suspects.isEmpty, !Task.isCancelled else { return }
        do {
            _ = try assembly.verification.verify(.days(suspects))
        } catch {
            log.error("apod-mirror: cannot verify damaged days: \(error)")
        }
    }

    /// Makes the missing thumbnails, including those that failed before.
    ///
    /// - Returns: The exit code. A thumbnailer that is not installed is no failure.
    private func thumbnails(after code: ExitCode) async -> ExitCode {
        guard let service = assembly.thumbnails, !Task.isCancelled else { return code }
        let summary = await service.makeMissing(ignoresBackoff: true)
        // A full disk was reported already.
        guard summary.missing > 0, !Task.isCancelled, code != .noSpace else { return code }
        let missing = "\(counted(summary.missing, "thumbnail is", "thumbnails are")) missing"
        guard summary.obstacle != .noSpace else {
            log.error(
                "apod-mirror: \(missing), because the disk is full; free disk space, or lower --min-free"
            )
            return [.done, .missing].contains(code) ? .noSpace : code
        }
        guard service.isAvailable else { return code }
        let reason = summary.reason.map { " (\($0))" } ?? ""
        log.error("apod-mirror: \(missing)\(reason); run the command again to retry")
        return code == .done ? .missing : code
    }

    /// Syncs once and makes the thumbnails of downloaded days meanwhile.
    private func sync() async -> ExitCode {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await assembly.thumbnails?.run() }
            defer { group.cancelAll() }
            return await syncOnce()
        }
    }
}
