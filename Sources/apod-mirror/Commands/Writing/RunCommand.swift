import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
struct RunCommand {
    private let access: MirrorAccess
    private let noteFile: ServiceNoteFile
    private let settings: Settings
    private let syncsOnce: Bool
    private let log: Log
    private let firstRequest: FirstRequest
    private let manager: ServiceManager
    /// `nil` until the mirror is open; a new mirror is created after NASA's first answer.
    private let assembly = SharedValue(MirrorAssembly?.none)

    /// Checks whether this command may write the mirror; with `--once`, prints which one it is if the user did not name it.
    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        access = MirrorAccess(arguments)
        noteFile = ServiceNoteFile(arguments.environment)
        self.manager = manager
        settings = try Settings(arguments)
        syncsOnce = try arguments.isOn(.once)
        // For the service itself, STATE_DIRECTORY names the mirror: it does not find it.
        guard arguments.mirror.reason != .found(isOfService: true) else {
            throw CommandError.usage(
                "the service keeps the mirror in \(settings.root); use --root DIR for another one")
        }
        // Checked before this process writes its own note that it waits for NASA's first answer.
        try access.checkNoOtherMirrorIsExpected()
        log = Log(threshold: settings.logLevel, environment: arguments.environment)
        firstRequest = FirstRequest(settings, noteFile: noteFile)
        if syncsOnce { try arguments.printFoundMirror() }
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        let code = try await runInterruptibly(
            by: signals, reload: syncsOnce ? nil : reload,
            willStop: { _ = manager.notify(.stopping) }
        ) {
            syncsOnce ? try await syncOnce() : try await runAsDaemon()
        }
        // SIGTERM is the normal end of the daemon.
        return syncsOnce ? code : .done
    }

    @Sendable private func reload() {
        guard let assembly = assembly.withLock(\.self) else { return firstRequest.repeatNow() }
        assembly.reload()
    }

    /// Runs the daemon, and writes into the ``ServiceNote`` how it ended.
    private func runAsDaemon() async throws -> ExitCode {
        do {
            try await keepMirror()
            writeNote(.stopped)
            return .done
        } catch {
            let isStopped = error is CancellationError || Task.isCancelled
            writeNote(isStopped ? .stopped : .failed(reason: CommandError(error).message))
            throw error
        }
    }

    private func keepMirror() async throws {
        if try access.openIfPresent() == nil {
            try await firstRequest.sendUntilAnswered(log: log, notifying: manager)
        }
        let assembly = try await open()
        writeNote(.running())
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.run()
    }

    private func writeNote(_ state: ServiceNote.State) {
        try? noteFile.write(state, for: settings)
    }

    private func syncOnce() async throws -> ExitCode {
        let sync = SingleSync(settings: settings, log: log)
        if try access.openIfPresent() == nil {
            do throws(FeedError) {
                try await firstRequest.send()
            } catch {
                return sync.reportFailedRequest(error)
            }
        }
        return await sync.run(try await open())
    }

    /// Opens or creates the mirror.
    private func open() async throws -> MirrorAssembly {
        let tree =
            syncsOnce
            ? try await access.openForWriting()
            : try await access.openForWriting(as: .daemon) { holder in
                let text = TreeError.wait(for: holder)
                log.notice(text)
                _ = manager.notify(.status(text))
            }
        for name in tree.movedAside {
            log.warning(
                "“\(name)” in \(Layout.incoming) is not the mirror's: moved it to \(Layout.aside)")
        }
        let opened = try MirrorAssembly(
            settings, tree: tree, log: log, notifying: manager,
            note: syncsOnce ? nil : ServiceNoteWriter(settings, to: noteFile))
        assembly.withLock { $0 = opened }
        return opened
    }
}
