import APOD
import Mirror
import Platform
import Transfer

/// How NASA is asked, as the settings say.
extension Settings {
    /// Who asks.
    func client(
        hosts: HostBackoff, retry: RetryPolicy = .standard,
        transferMetrics: TransferMetrics = TransferMetrics()
    ) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream), retry: retry, pace: pace, width: jobs,
            hosts: hosts, metrics: transferMetrics)
    }

    /// The feed of these settings; only a v1 feed gets the API key.
    func feed(through client: Client, apiKey: String?) -> any Feed {
        client.feed(FeedKind(rawValue: feed), at: upstream, apiKey: apiKey)
    }
}

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
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos),
            favorites: favorites)
    }
}
