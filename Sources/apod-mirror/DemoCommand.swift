import APOD
import Favorites
import Gallery
import Glibc
import Mirror
import Platform
import Service
import Simulator
import Thumbnails

/// `apod-mirror demo [DIR]`: the whole thing in a minute without the network.
///
/// A simulated NASA and a mirror of it: the tree fills, a second look fetches nothing, a new day comes
/// through a storm of faults, and a link dropped into `favorites/` is kept whatever happens to it.
struct DemoCommand {
    private let settings: Settings
    private let simulator: Simulator
    private let synchronizer: Synchronizer
    private let favorites: FavoritesService
    private let tree: Tree
    private let thumbnails: ThumbnailService
    /// How this program is called from where the user is.
    private let command: String

    init(_ arguments: Arguments) throws {
        let root = try arguments.operands.first.map(Settings.resolved) ?? Self.temporaryFolder()
        // Yesterday's archive: today's entry is still to come.
        simulator = try Simulator(.generated(newest: .today, days: 40, extras: .usual))
        simulator.newest = Day.today.advanced(by: -1)
        var settings = Settings(root: root)
        settings.upstream = simulator.basicAddress
        settings.pace = .milliseconds(200)
        settings.minimumFree = 0
        settings.keepsVideos = true
        self.settings = settings
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        let log = Log(environment: arguments.processEnvironment)
        favorites = FavoritesService(tree: tree, spellings: [], wanted: WantedDays(), log: log)
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        thumbnails = ThumbnailService(
            Thumbnails(store: store), log: log, changes: ChangeBroadcaster())
        synchronizer = Synchronizer(settings, store: store, apiKey: nil)
        command = Installation.command("apod-mirror", path: arguments["PATH"]).shellWord
    }

    private static func temporaryFolder() throws -> String {
        var template = Array("/tmp/apod-mirror-demo-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw CommandError("there is no room in /tmp: name a directory, “apod-mirror demo DIR”")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode.self) { group in
            group.addTask { try await show() }
            group.addTask {
                await favorites.run()
                return .failure
            }
            group.addTask {
                await signals?.wait() ?? .failure
            }
            defer {
                group.cancelAll()
                simulator.stop()
            }
            return try await group.next() ?? .failure
        }
    }

    private func show() async throws -> ExitCode {
        say(
            "1. A NASA is simulated at \(settings.upstream)\n   Its last 30 days are mirrored into \(settings.root)"
        )
        let first = await pass()
        try list()

        say("2. A second look fetches nothing again.")
        simulator.resetLog()
        let second = await pass()
        say(
            "   \(counted(simulator.requests.count, "request")), \(counted(second.kept, "new picture"))"
        )

        say(
            "3. NASA publishes \(Day.today), while its servers fail: a 503, a 502, a cut connection."
        )
        simulator.inject(.status(503, body: nil), on: .lists)
        simulator.inject(.truncated(after: 20_000), on: .mediaOf(.today))
        simulator.inject(.status(502, body: nil), on: .mediaOf(.today))
        simulator.newest = .today
        let third = await pass()

        let isKept = try await showFavorites()
        await thumbnails.look()
        try await Gallery(store: try Store(tree: tree, minimumFree: 0))
            .refresh(favorites: FavoriteStore(tree: tree).days())
        end()
        let isWhole = [first, second, third].allSatisfy { $0.obstacle == nil && $0.missing == 0 }
        return isWhole && isKept && third.newest == .today ? .done : .failure
    }

    /// - Returns: Whether all went as told.
    private func showFavorites() async throws -> Bool {
        guard let path = try Store(reading: tree).record(of: .today)?.picture?.path else {
            return false
        }
        let link = "my favorite.jpg"
        let record = "\(Layout.own)/favorites/\(Day.today).json"
        say("4. A link is dropped into favorites/: ln -s \"../\(path)\" \"favorites/\(link)\"")
        try tree.root.makeDirectory("favorites").symlink(link, to: "../\(path)")
        guard let time = try await time(until: { try tree.root.status(record) != nil }) else {
            return false
        }
        say("   kept in \(record) after \(time) ms")

        say("5. The link is deleted, and then the whole folder: rm -r favorites")
        let folder = try tree.root.makeDirectory("favorites")
        try folder.remove(link)
        _ = unsafe rmdir("\(settings.root)/favorites")
        let isBack = try await self.time {
            try tree.root.status("favorites/\(link)")?.kind == .symbolicLink
        }
        guard let isBack else { return false }
        say("   both are back after \(isBack) ms: a favorite is not lost by accident")
        return true
    }

    /// The milliseconds until `condition` holds, `nil` where that takes more than ten seconds.
    private func time(until condition: () throws -> Bool) async throws -> Int? {
        let start = ContinuousClock.now
        while try !condition() {
            guard start.duration(to: .now) < .seconds(10) else { return nil }
            try await LoopClock().sleep(for: .milliseconds(1))
        }
        return Int(start.duration(to: .now) / .milliseconds(1))
    }

    private func pass() async -> SyncSummary {
        let events = synchronizer.pass(retry: .failed)
        await ProgressDisplay(.standard, traffic: synchronizer.traffic).show(events) { event in
            switch event {
            case .day(let outcome): tell(outcome)
            case .problem(let text): say("   \(text)")
            case .planned, .alive: break
            }
        }
        let summary = await events.summary()
        say("   \(summary.complete) of \(counted(summary.wanted, "day")) are here")
        return summary
    }

    private func tell(_ outcome: EntryOutcome) {
        switch outcome.result {
        case .kept(let path, let bytes): say("   \(path)  \(ByteCount(bytes))")
        case .edited: say("   \(outcome.day) was edited")
        case .pending(_, let reason, _): say("   \(outcome.day) waits: \(reason)")
        case .noSpace(let text): say("   \(text)")
        case .unchanged: break
        }
    }

    private func list() throws {
        let names = try tree.root.textNames().sorted().joined(separator: "  ")
        say("   \(settings.root) now holds: \(names)")
    }

    private func end() {
        let root = settings.root.shellWord
        let latest = (try? tree.root.textNames())?.first { $0.hasPrefix("latest.") } ?? "latest.jpg"
        say(
            """
            Look at it:
               \(settings.root)/index.html    in a browser
               \(settings.root)/pictures      in a file manager
               \(settings.root)/favorites     drop links to pictures there
               \(settings.root)/\(latest)    always the newest picture
               \(command) show latest --root \(root)
               \(command) status --root \(root)
            Remove it when you have seen enough: rm -r \(root)
            """)
    }

    private func say(_ text: String) {
        let start: TerminalText = Output.standard.isTerminal ? "\r\u{1b}[K" : ""
        Output.standard.write(styled: "\(start)\(text)\n")
    }
}
