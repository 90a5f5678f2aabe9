import APOD
import Mirror
import Platform
import Transfer

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
