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
    private let favorites: FavoriteKeeper
    private let bell = Bell()

    init(_ arguments: Arguments) throws {
        settings = try Settings(arguments)
        isOnce = try arguments.isOn(.once)
        log = Log(
            threshold: settings.isQuiet ? .error : .info, environment: arguments.processEnvironment)
        tree = try Tree.writing(
            settings.root, known: KnownMirrors(environment: arguments.processEnvironment),
            isNew: try arguments.isOn(.new))
        let wanted = WantedDays()
        synchronizer = try Synchronizer(
            settings, tree: tree, apiKey: arguments[Arguments.keyVariable],
            favorites: { wanted.days })
        favorites = FavoriteKeeper(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log,
            fetch: { [bell] in bell.ring() })
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await isOnce ? once() : daemon() }
            group.addTask {
                await signals?.wait {
                    bell.ring()
                    favorites.ask()
                }
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

    private func daemon() async throws -> ExitCode {
        log.info("mirroring \(settings.upstream) into \(settings.root)")
        let daemon = Daemon(
            synchronizer, Schedule(mirror: tree.id), log: log, bell: bell,
            didPass: { favorites.ask() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await favorites.run() }
            group.addTask { try await daemon.run() }
            try await group.waitForAll()
        }
        return .done
    }

    private func once() async -> ExitCode {
        // Before, for what is to be fetched first; after, for what came.
        await favorites.look()
        let code = await OnePass(synchronizer, log: log, isQuiet: settings.isQuiet).run()
        await favorites.look()
        return code
    }
}

extension UnixSignals {
    /// Returns when the process is to end.
    ///
    /// - Parameter hangUp: What a SIGHUP does.
    func wait(_ hangUp: () -> Void = {}) async {
        for await signal in self {
            guard signal == 1 else { return }
            hangUp()
        }
    }
}

extension Synchronizer {
    /// The synchronizer that `settings` ask for.
    init(
        _ settings: Settings, tree: Tree, apiKey: String?,
        favorites: @escaping @Sendable () -> Set<Day> = { [] }
    ) throws {
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
                since: settings.since, jobs: settings.jobs, keepsVideos: settings.keepsVideos),
            favorites: favorites)
    }
}
