import APOD
import Mirror
import Transfer

extension Synchronizer {
    /// The synchronizer that `settings` ask for.
    init(
        _ settings: Settings, store: Store, transferMetrics: TransferMetrics = TransferMetrics(),
        apiKey: String?,
        favorites: @escaping @Sendable () -> Set<Day> = { [] }
    ) {
        let hosts = HostBackoff()
        let client = settings.client(hosts: hosts, transferMetrics: transferMetrics)
        let feed = settings.feed(through: client, apiKey: apiKey)
        self.init(
            feed: feed, client: client, hosts: hosts, store: store,
            options: Options(
                since: settings.since, jobs: settings.jobs, keepsVideos: settings.keepsVideos),
            favorites: favorites)
    }
}
