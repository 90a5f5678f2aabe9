import CommandLine
import Favorites
import Gallery
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
struct RunCommand {
    let settings: Settings
    private let isOnce: Bool
    let log: Log
    let assembly: DaemonAssembly
    private let manager: ServiceManager

    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        self.manager = manager
        settings = try Settings(arguments)
        isOnce = try arguments.isOn(.once)
        guard try !arguments.isOn(.json) else {
            throw CommandError.usage("--json requires --dry-run")
        }
        log = Log(threshold: settings.logLevel, environment: arguments.environment)
        if isOnce { try arguments.printFoundMirror() }
        let tree = try arguments.openTreeForWriting()
        if tree.wasUnmarked {
            log.warning(
                "\(settings.root) contains the pictures of a mirror, but no .apod-mirror/; it is used as a mirror"
            )
        }
        if case .day(let day) = settings.since,
            case .future(let day) = DayArgument.absence(
                of: day, newest: try Store(reading: tree).state().newest)
        {
            // The clock may be behind: no error.
            log.warning("--since: \(day) is in the future; no day before it is mirrored")
        }
        assembly = try DaemonAssembly(
            settings, tree: tree, log: log, apiKey: try APIKey.find(arguments), notifying: manager)
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await isOnce ? once() : daemon() }
            group.addTask {
                let code = await signals?.wait(isOnce ? nil : { assembly.reload() })
                manager.notify(.stopping)
                // A signal is the normal end of the daemon.
                return isOnce ? code : nil
            }
            let code = try await group.next() ?? nil
            group.cancelAll()
            // Interrupted by a signal: the sync reports what is still missing.
            while let other = await group.nextResult() {
                if code == nil, let code = try? other.get() { return code }
            }
            return code ?? .done
        }
    }

    private func daemon() async throws -> ExitCode {
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.services.run()
        return .done
    }

    private func once() async -> ExitCode {
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
