import Mirror
import Platform
import Service
import Transfer

/// What the daemon is made of, and who is told of what: the keepers know nothing of each other.
struct DaemonParts {
    let synchronizer: Synchronizer
    let favorites: FavoriteKeeper
    let vitals: VitalsKeeper
    private let mirror: MirrorKeeper
    private let calls = Mailbox<MirrorCall>()

    init(_ settings: Settings, tree: Tree, log: Log, apiKey: String?) throws {
        let wanted = WantedDays()
        let changes = TreeChanges()
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let tally = Tally(Vitals.read(from: tree)?.count ?? .init())
        let vitals = VitalsKeeper(
            store, tally: tally, changes: changes.listener(), metrics: settings.metricsFile,
            log: log)
        let favorites = FavoriteKeeper(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log, changes: changes,
            fetch: { [calls] in calls.put(.look) }, didChangeMode: { vitals.note($0) })
        synchronizer = Synchronizer(
            settings, store: store, tally: tally, apiKey: apiKey, favorites: { wanted.days })
        mirror = MirrorKeeper(
            synchronizer, Schedule(mirror: tree.id), log: log, calls: calls, changes: changes,
            didPass: { _ in favorites.ask() }, willSleep: { vitals.note(nextLook: $0) })
        vitals.note(.events)
        self.vitals = vitals
        self.favorites = favorites
    }

    /// All keepers, side by side.
    var daemon: Daemon { Daemon([favorites, mirror, vitals]) }

    /// Looks at NASA and at the favorites now.
    func lookNow() {
        calls.put(.look)
        favorites.ask()
    }
}
