package import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// The client for all requests, and the feeds that use it, as the settings say: which feed, which mirrors, how fast.
extension Settings {
    package var feedKind: FeedKind { typedFeedKind ?? FeedKind(at: upstream) }

    /// The classic mirrors on which lost pictures are sought; none for another feed than NASA's, which has other pictures.
    var mirrors: [ClassicMirror] {
        typedMirrors ?? (upstream.isNASA ? ClassicMirror.standard : [])
    }

    /// Makes the client for all requests; `retry` is for `doctor`, which gives up earlier because its user waits.
    func client(retry: RequestAttempts = .standard) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream, mirrors: mirrors.map(\.directory)),
            retry: retry, pace: pace, width: Synchronizer.transfers(jobs: jobs),
            bandwidth: bandwidth, hosts: HostPauses())
    }

    /// The source of entries; `observe` receives each response.
    func feed(
        through client: Client,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        client.feed(feedKind, at: upstream, observe: observe)
    }

    /// The feed, and the other routes to new days that are used while the feed fails; the old API has no other routes.
    func routes(through client: Client) -> FeedRoutes {
        let feed = feed(through: client)
        guard feedKind == .basic else { return FeedRoutes(feed) }
        let otherRoutes = client.otherRoutes(
            besideAPIAt: upstream, mirrors: mirrors, today: { Day(utcDateOf: Date()) })
        return FeedRoutes(feed, otherRoutes)
    }
}
