import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// `apod-mirror run`: the daemon, or a single sync with `--once`.
struct RunCommand {
    private let arguments: Arguments
    private let settings: Settings
    private let isOnce: Bool
    private let log: Log
    private let firstRequest: FirstRequest
    private let apiKey: String?
    private let manager: ServiceManager
    /// `nil` before NASA's first answer.
    private let assembly = Monitor(MirrorAssembly?.none)

    init(_ arguments: Arguments, notifying manager: ServiceManager) throws {
        self.arguments = arguments
        self.manager = manager
        settings = try Settings(arguments)
        isOnce = try arguments.isOn(.once)
        guard try !arguments.isOn(.json) else {
            throw CommandError.usage("--json requires --dry-run")
        }
        guard try !arguments.mirror().isOfService else {
            throw CommandError.usage(
                "the service keeps the mirror in \(settings.root); use --root DIR for another one")
        }
        log = Log(threshold: settings.logLevel, environment: arguments.environment)
        apiKey = try APIKey.find(arguments)
        firstRequest = FirstRequest(settings, apiKey: apiKey)
        if isOnce { try arguments.printFoundMirror() }
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await isOnce ? once() : daemon() }
            group.addTask {
                let code = await signals?.wait(isOnce ? nil : { reload() })
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

    private func reload() {
        guard let assembly = assembly.withLock(\.self) else { return firstRequest.repeatNow() }
        assembly.reload()
    }

    private func daemon() async throws -> ExitCode {
        if try arguments.isNewMirror() {
            try await firstRequest.sendUntilAnswered(log: log, notifying: manager)
        }
        let assembly = try open()
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await assembly.run()
        return .done
    }

    private func once() async throws -> ExitCode {
        if try arguments.isNewMirror() {
            do throws(FeedError) {
                try await firstRequest.send()
            } catch {
                return SingleSync.report(error, from: settings.feedKind, log)
            }
        }
        return await SingleSync(settings: settings, log: log).run(try open())
    }

    /// Opens the mirror, or creates it.
    private func open() throws -> MirrorAssembly {
        let tree = try arguments.openTreeForWriting()
        if tree.wasUnmarkedCopy {
            log.warning(
                "\(settings.root) contains the pictures of a mirror, but no .apod-mirror/; it is used as a mirror"
            )
        }
        if case .day(let day) = settings.since,
            case .future(let day) = DayAbsence(
                of: day, newest: try Store(reading: tree).state().newest)
        {
            // The clock may be behind: no error.
            log.warning("--since: \(day) is in the future; no day before it is mirrored")
        }
        let opened = try MirrorAssembly(
            settings, tree: tree, log: log, apiKey: apiKey, notifying: manager)
        assembly.withLock { $0 = opened }
        return opened
    }
}
