import APOD
import Mirror
import Transfer

extension Synchronizer {
    /// The synchronizer that `settings` ask for.
    init(
        _ settings: Settings, tree: Tree, apiKey: String?,
        favorites: @escaping @Sendable () -> Set<Day> = { [] }
    ) throws {
        let hosts = HostCalendar()
        let client = settings.client(hosts: hosts)
        let feed = settings.feed(through: client, apiKey: apiKey)
        self.init(
            feed: feed, client: client, hosts: hosts,
            store: try Store(tree: tree, minimumFree: settings.minimumFree),
            options: Options(
                since: settings.since, jobs: settings.jobs, keepsVideos: settings.keepsVideos),
            favorites: favorites)
    }
}
