import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
///
/// If there is no mirror yet, both wait for NASA's answer to a ``FirstRequest`` before they create it. Then ``MirrorAssembly``
/// does the work of the daemon, and ``SingleSync`` that of `--once`.
struct RunCommand {
    private let access: MirrorAccess
    private let noteFile: ServiceNoteFile
    private let settings: Settings
    private let syncsOnce: Bool
    private let log: Log
    private let firstRequest: FirstRequest
    private let manager: ServiceManager
    /// The services of the daemon; `nil` until the mirror is open.
    private let services = SharedValue(MirrorAssembly?.none)

    /// Checks whether this command may write the mirror; with `--once`, prints which one it is if the user did not name it.
    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        access = MirrorAccess(arguments)
        noteFile = ServiceNoteFile(arguments.environment)
        self.manager = manager
        settings = try Settings(arguments)
        syncsOnce = try arguments.isOn(.once)
        // For the service itself, STATE_DIRECTORY names the mirror, so that the origin is another one.
        guard arguments.mirror.origin != .foundOfService else {
            throw CommandError.usage(
                "the service keeps the mirror in \(settings.root); use --root DIR for another one")
        }
        // Before this process writes into its own note that it waits for NASA's first answer.
        try access.checkNoOtherMirrorIsExpected()
        log = Log(threshold: settings.logLevel, environment: arguments.environment)
        firstRequest = FirstRequest(settings, noteFile: noteFile)
        if syncsOnce { try arguments.printFoundMirror() }
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        if syncsOnce {
            return try await runInterruptibly(by: signals, willStop: notifyStop, syncOnce)
        }
        _ = try await runInterruptibly(
            by: signals, reload: reload, willStop: notifyStop, runAsDaemon)
        // SIGTERM is the normal end of the daemon.
        return .done
    }

    @Sendable private func notifyStop() { _ = manager.notify(.stopping) }

    /// Creates the services of the mirror that `tree` opened.
    private func assembly(in tree: Tree, note: ServiceNoteWriter?) throws -> MirrorAssembly {
        defer { tree.logMovedItems(to: log) }
        return try MirrorAssembly(settings, tree: tree, log: log, notifying: manager, note: note)
    }

    // MARK: A single sync

    @Sendable private func syncOnce() async throws -> ExitCode {
        let sync = SingleSync(settings: settings, log: log)
        if try access.openIfPresent() == nil {
            do throws(FeedError) {
                try await firstRequest.send()
            } catch {
                return sync.reportFailedRequest(error)
            }
        }
        return await sync.run(try assembly(in: await access.openForWriting(), note: nil))
    }

    // MARK: The daemon

    /// Runs the daemon, and writes into the ``ServiceNote`` how it ended.
    @Sendable private func runAsDaemon() async throws -> ExitCode {
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
        let tree = try await access.openForWriting(as: .daemon) { holder in
            let text = TreeError.wait(for: holder)
            log.notice(text)
            _ = manager.notify(.status(text))
        }
        let note = ServiceNoteWriter(settings, to: noteFile, log: log)
        let assembly = try assembly(in: tree, note: note)
        services.withLock { $0 = assembly }
        note.writeStart()
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.run()
    }

    private func writeNote(_ state: ServiceNote.State) {
        try? noteFile.write(state, for: settings)
    }

    @Sendable private func reload() {
        guard let services = services.withLock(\.self) else { return firstRequest.repeatNow() }
        services.reload()
    }
}
