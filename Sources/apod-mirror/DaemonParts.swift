import Favorites
import Gallery
import Mirror
import Platform
import Service

/// What the daemon is made of, and who is told of what: the keepers know nothing of each other.
struct DaemonParts {
    let synchronizer: Synchronizer
    let favorites: FavoriteKeeper
    let gallery: GalleryKeeper
    private let mirror: MirrorKeeper
    private let calls = Mailbox<MirrorCall>()
    private let changes = TreeChanges()

    init(_ settings: Settings, tree: Tree, log: Log, apiKey: String?) throws {
        let wanted = WantedDays()
        let favorites = FavoriteKeeper(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log, changes: changes,
            fetch: { [calls] in calls.put(.look) })
        synchronizer = try Synchronizer(
            settings, tree: tree, apiKey: apiKey, favorites: { wanted.days })
        mirror = MirrorKeeper(
            synchronizer, Schedule(mirror: tree.id), log: log, calls: calls, changes: changes,
            didPass: { _ in favorites.ask() })
        self.favorites = favorites
        gallery = GalleryKeeper(
            Gallery(store: try Store(tree: tree, minimumFree: settings.minimumFree)),
            favorites: { try FavoriteStore(tree: tree).days() }, changes: changes.listener(),
            log: log)
    }

    /// All keepers, side by side.
    var daemon: Daemon { Daemon([favorites, gallery, mirror]) }

    /// Looks at NASA and at the favorites now.
    func lookNow() {
        calls.put(.look)
        favorites.ask()
        changes.tell(.all)
    }
}
