import APOD
import Mirror
import Transfer

extension Synchronizer {
    /// The synchronizer that `settings` ask for.
    init(
        _ settings: Settings, store: Store, tally: Tally = Tally(), apiKey: String?,
        favorites: @escaping @Sendable () -> Set<Day> = { [] }
    ) {
        let hosts = HostCalendar()
        let client = settings.client(hosts: hosts, tally: tally)
        let feed = settings.feed(through: client, apiKey: apiKey)
        self.init(
            feed: feed, client: client, hosts: hosts, store: store,
            options: Options(
                since: settings.since, jobs: settings.jobs, keepsVideos: settings.keepsVideos),
            favorites: favorites)
    }
}
