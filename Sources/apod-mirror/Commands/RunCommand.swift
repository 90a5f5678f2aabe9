import CommandLine
import Gallery
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or with `--once` one pass of it.
struct RunCommand {
    private let settings: Settings
    private let isOnce: Bool
    private let log: Log
    private let parts: DaemonAssembly
    private let manager: ServiceManager

    init(_ arguments: Arguments, telling manager: ServiceManager) throws {
        self.manager = manager
        settings = try Settings(arguments)
        isOnce = try arguments.isOn(.once)
        log = Log(
            threshold: settings.logLevel, environment: arguments.environment)
        if isOnce { try arguments.nameFoundMirror() }
        let tree = try Tree.writing(
            settings.root, known: KnownMirrors(environment: arguments.environment),
            isNew: try arguments.isOn(.new))
        if tree.isAdopted {
            log.warning(
                "\(settings.root) holds pictures and records of a mirror, but no .apod-mirror/:"
                    + " it is taken over as it stands")
        }
        parts = try DaemonAssembly(
            settings, tree: tree, log: log, apiKey: try APIKey.find(arguments), telling: manager)
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await isOnce ? once() : daemon() }
            group.addTask {
                let code = await signals?.wait(isOnce ? nil : { parts.reload() })
                manager.notify(.stopping)
                // To be told to stop is how a daemon ends.
                return isOnce ? code : nil
            }
            let code = try await group.next() ?? nil
            group.cancelAll()
            // Stopped by a signal: the pass ends now, and says what is still missing.
            while let other = await group.nextResult() {
                if code == nil, let code = try? other.get() { return code }
            }
            return code ?? .done
        }
    }

    private func daemon() async throws -> ExitCode {
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await parts.daemon.run()
        return .done
    }

    private func once() async -> ExitCode {
        // Before, for what is to be fetched first; after, for what came.
        await parts.favorites.scanOnce()
        var code = await pass()
        await parts.favorites.scanOnce()
        code = await thumbnails(after: code)
        parts.metrics.writeOnce(foundSomething: parts.synchronizer.traffic.bytes > 0)
        // What a full disk keeps from being written has been said.
        guard !Task.isCancelled, let error = await parts.gallery.build(),
            code != .noSpace, code != .noMirror
        else {
            return code
        }
        log.error("apod-mirror: \(error)")
        guard code == .done else { return code }
        return error.isNoSpace ? .noSpace : error.isReadOnly ? .noMirror : .failure
    }

    /// Makes the thumbnails that are still missing, those too that failed before.
    ///
    /// - Returns: What the process ends with; where none can be made at all, because the program that makes
    ///   them is not installed, that is no failure.
    private func thumbnails(after code: ExitCode) async -> ExitCode {
        guard let service = parts.thumbnails, !Task.isCancelled else { return code }
        let summary = await service.makeMissing(ignoresBackoff: true)
        // What a full disk keeps from being written has been said.
        guard summary.missing > 0, !Task.isCancelled, code != .noSpace else { return code }
        guard summary.obstacle != .noSpace else {
            log.error(
                "apod-mirror: \(summary.missing) thumbnails are missing, because the disk is full; free disk space, or lower --min-free"
            )
            return [.done, .missing].contains(code) ? .noSpace : code
        }
        guard service.isAvailable else { return code }
        let reason = summary.reason.map { " (\($0))" } ?? ""
        log.error(
            "apod-mirror: \(summary.missing) thumbnails are missing\(reason): run it again to try once more"
        )
        return code == .done ? .missing : code
    }

    /// One pass; thumbnails of what came are made meanwhile.
    private func pass() async -> ExitCode {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await parts.thumbnails?.run() }
            defer { group.cancelAll() }
            return await SyncOnce(parts.synchronizer, log: log, isQuiet: settings.isQuiet).run()
        }
    }
}
