package import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

extension Settings {
    /// The classic mirrors on which lost pictures are sought; none for another feed than NASA's, which has other pictures.
    var mirrors: [ClassicMirror] {
        typedMirrors ?? (upstream.isNASA ? ClassicMirror.standard : [])
    }

    func client(retry: RequestAttempts = .standard) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream, mirrors: mirrors.map(\.directory)),
            retry: retry, pace: pace, width: Synchronizer.transfers(jobs: jobs),
            bandwidth: bandwidth, hosts: HostPauses())
    }

    package var feedKind: FeedKind { feed ?? FeedKind(at: upstream) }

    /// The source of entries; `observe` receives each response.
    func feed(
        through client: Client,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        client.feed(feed, at: upstream, observe: observe)
    }

    /// The feed, and the other routes to new days that are used while the feed fails; the old API has no other routes.
    func routes(through client: Client) -> FeedRoutes {
        guard feedKind == .basic else { return FeedRoutes(feed(through: client)) }
        return FeedRoutes(
            feed(through: client),
            client.otherRoutes(besideAPIAt: upstream, mirrors: mirrors) {
                Day(utcDateOf: Date())
            })
    }
}
