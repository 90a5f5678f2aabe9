import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
struct RunCommand {
    private let access: MirrorAccess
    private let environment: [String: String]
    private let settings: Settings
    private let syncsOnce: Bool
    private let log: Log
    private let firstRequest: FirstRequest
    private let manager: ServiceManager
    /// `nil` until the mirror is open; a new mirror is created after NASA's first answer.
    private let assembly = SharedValue(MirrorAssembly?.none)
    /// The text of the obstacle in the ``ServiceNote``.
    private let notedObstacle = SharedValue(String?.none)

    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        access = MirrorAccess(arguments)
        environment = arguments.environment
        self.manager = manager
        settings = try Settings(arguments)
        syncsOnce = try arguments.isOn(.once)
        // The service itself names its mirror by STATE_DIRECTORY.
        guard arguments.mirror.reason != .found(isOfService: true) else {
            throw CommandError.usage(
                "the service keeps the mirror in \(settings.root); use --root DIR for another one")
        }
        // The note of this process, which waits for NASA's first answer, too, is not written yet.
        try access.checkNoOtherMirrorIsExpected()
        log = Log(threshold: settings.logLevel, environment: environment)
        firstRequest = FirstRequest(settings, environment: environment)
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

    // MARK: The daemon

    /// Runs the daemon, and notes how it ended.
    private func runAsDaemon() async throws -> ExitCode {
        do {
            try await keepMirror()
            note(.stopped)
            return .done
        } catch {
            let isStopped = error is CancellationError || Task.isCancelled
            note(isStopped ? .stopped : .failed(reason: CommandError(error).message))
            throw error
        }
    }

    private func keepMirror() async throws {
        if try access.openIfPresent() == nil {
            try await firstRequest.sendUntilAnswered(log: log, notifying: manager)
        }
        let assembly = try await open()
        note(.running(nil))
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.run()
    }

    private func note(_ state: ServiceNote.State) {
        ServiceNote.write(state, settings, environment)
    }

    /// Notes what keeps all days away, if that has changed.
    @Sendable private func noteObstacle(_ obstacle: Obstacle?) {
        let isNew = notedObstacle.withLock { noted in
            defer { noted = obstacle?.text }
            return noted != obstacle?.text
        }
        if isNew { note(.running(obstacle)) }
    }

    // MARK: A single sync

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

    // MARK: The mirror

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
            settings, tree: tree, log: log, notifying: manager, reportObstacle: noteObstacle)
        assembly.withLock { $0 = opened }
        return opened
    }
}
