import APOD
import Mirror
import Platform
import Service
import Transfer

/// `apod-mirror run`: the daemon, or with `--once` one pass of it.
struct RunCommand {
    private let settings: Settings
    private let isOnce: Bool
    private let log: Log
    private let tree: Tree
    private let synchronizer: Synchronizer

    init(_ arguments: Arguments) throws {
        settings = try Settings(arguments)
        isOnce = arguments.isOn(.once)
        log = Log(
            threshold: settings.isQuiet ? .error : .info, environment: arguments.processEnvironment)
        tree = try Tree.writing(
            settings.root, known: KnownMirrors(environment: arguments.processEnvironment),
            isNew: arguments.isOn(.new))
        synchronizer = try Synchronizer(
            settings, tree: tree, apiKey: arguments["APOD_MIRROR_API_KEY"])
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        let bell = Bell()
        return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await isOnce ? once() : daemon(bell) }
            group.addTask {
                await signals?.wait(ringing: bell)
                return nil
            }
            let code = try await group.next() ?? nil
            group.cancelAll()
            // Stopped by a signal: the pass ends now, and says what is still missing.
            while let other = await group.nextResult() {
                if let code = try? other.get() { return code }
            }
            return code ?? .done
        }
    }

    private func daemon(_ bell: Bell) async throws -> ExitCode {
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        try await Daemon(synchronizer, Schedule(mirror: tree.id), log: log, bell: bell).run()
        return .done
    }

    private func once() async -> ExitCode {
        let pass = OnePass(synchronizer, log: log, isQuiet: settings.isQuiet)
        return await pass.run()
    }
}

extension UnixSignals {
    /// Returns when the process is to end; a SIGHUP rings `bell`.
    func wait(ringing bell: Bell) async {
        for await signal in self {
            guard signal == 1 else { return }
            bell.ring()
        }
    }
}

extension Synchronizer {
    /// The synchronizer that `settings` ask for.
    init(_ settings: Settings, tree: Tree, apiKey: String?) throws {
        let hosts = HostCalendar()
        let client = Client(
            agent: "apod-mirror/\(HelpText.version) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: settings.upstream), pace: settings.pace,
            width: settings.jobs, hosts: hosts)
        let request: FeedRequest = { address throws(TransferError) in
            let answer = try await client.get(address)
            return FeedAnswer(
                status: answer.status, headers: answer.headers.fields, body: answer.body)
        }
        let feed: any Feed =
            switch settings.feed {
            case "basic": BasicFeed(address: settings.upstream, request: request)
            case "v1": V1Feed(address: settings.upstream, apiKey: apiKey, request: request)
            default: AutoFeed(address: settings.upstream, apiKey: apiKey, request: request)
            }
        self.init(
            feed: feed, client: client, hosts: hosts,
            store: try Store(tree: tree, minimumFree: settings.minimumFree),
            options: Options(
                since: settings.since, jobs: settings.jobs, keepsVideos: settings.keepsVideos))
    }
}
