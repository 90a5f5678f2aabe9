import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
struct RunCommand {
    private let arguments: Arguments
    private let settings: Settings
    private let syncsOnce: Bool
    private let log: Log
    private let firstRequest: FirstRequest
    private let manager: ServiceManager
    /// `nil` until the mirror is open: a new one only after NASA's first answer.
    private let assembly = SharedValue(MirrorAssembly?.none)
    /// The text of the obstacle that was noted last.
    private let notedObstacle = SharedValue(String?.none)

    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        self.arguments = arguments
        self.manager = manager
        settings = try Settings(arguments)
        syncsOnce = try arguments.isOn(.once)
        // The user named no mirror, and this one was found; the service itself names it by STATE_DIRECTORY.
        guard arguments.mirror.reason != .found(isOfService: true) else {
            throw CommandError.usage(
                "the service keeps the mirror in \(settings.root); use --root DIR for another one")
        }
        // Before this process says that it waits for NASA's first answer.
        try arguments.checkNoOtherMirrorIsExpected()
        log = Log(threshold: settings.logLevel, environment: arguments.environment)
        firstRequest = FirstRequest(settings, environment: arguments.environment)
        if syncsOnce { try arguments.printFoundMirror() }
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        let code = try await runInterruptibly(
            by: signals, reload: syncsOnce ? nil : reload,
            willStop: { _ = manager.notify(.stopping) }
        ) {
            syncsOnce ? try await once() : try await daemon()
        }
        // A signal is the normal end of the daemon.
        return syncsOnce ? code : .done
    }

    @Sendable private func reload() {
        guard let assembly = assembly.withLock(\.self) else { return firstRequest.repeatNow() }
        assembly.reload()
    }

    private func daemon() async throws -> ExitCode {
        do {
            try await mirror()
            note(.stopped)
            return .done
        } catch {
            let isStopped = error is CancellationError || Task.isCancelled
            note(isStopped ? .stopped : .failed(reason: CommandError(error).message))
            throw error
        }
    }

    private func mirror() async throws {
        if try arguments.previewTree() == nil {
            try await firstRequest.sendUntilAnswered(log: log, notifying: manager)
        }
        let assembly = try await open()
        note(.running(nil))
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.run()
    }

    private func note(_ state: ServiceNote.State) {
        ServiceNote.write(state, settings, arguments.environment)
    }

    /// Notes what keeps all days away, if that has changed.
    @Sendable private func noteObstacle(_ obstacle: Obstacle?) {
        let isNew = notedObstacle.withLock { noted in
            defer { noted = obstacle?.text }
            return noted != obstacle?.text
        }
        if isNew { note(.running(obstacle)) }
    }

    private func once() async throws -> ExitCode {
        if try arguments.previewTree() == nil {
            do throws(FeedError) {
                try await firstRequest.send()
            } catch {
                return SingleSync(settings: settings, log: log).report(error)
            }
        }
        return await SingleSync(settings: settings, log: log).run(try await open())
    }

    /// Opens the mirror, or creates it.
    private func open() async throws -> MirrorAssembly {
        let tree =
            syncsOnce
            ? try await arguments.openTreeForWriting()
            : try await arguments.openTreeForWriting(as: .daemon) { holder in
                let text = TreeError.wait(for: holder)
                log.notice(text)
                _ = manager.notify(.status(text))
            }
        for name in tree.movedAside {
            log.warning(
                "“\(name)” in \(Layout.incoming) is not the mirror's: moved it to \(Layout.aside)")
        }
        let opened = try MirrorAssembly(
            settings, tree: tree, log: log, notifying: manager, didMeet: noteObstacle)
        assembly.withLock { $0 = opened }
        return opened
    }
}
