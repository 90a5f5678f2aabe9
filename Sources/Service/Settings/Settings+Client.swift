package import APOD
package import Mirror
internal import Platform
package import Transfer

extension Settings {
    /// Where pictures are that NASA lost: another feed may have other pictures.
    var mirrors: [ClassicMirror] {
        typedMirrors ?? (upstream.isNASA ? ClassicMirror.standard : [])
    }

    package func client(
        retry: RequestAttempts = .standard, transferMetrics: TransferMetrics = TransferMetrics()
    ) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream, mirrors: mirrors.map(\.directory)),
            retry: retry, pace: pace, width: jobs,
            bandwidth: bandwidth, hosts: HostPauses(), metrics: transferMetrics)
    }

    /// A synchronizer for a command: it downloads `suspects` and days whose pictures are here without a record.
    package func synchronizer(
        for store: Store, apiKey: String?, downloadsVideos: Bool = false,
        suspects: @escaping @Sendable () -> Set<Day> = { [] }
    ) -> Synchronizer {
        let client = client()
        return Synchronizer(
            feed: feed(through: client, apiKey: apiKey), client: client, store: store,
            options: .init(
                since: nil, jobs: jobs, downloadsVideos: downloadsVideos, rechecks: false),
            suspects: suspects)
    }

    package var feedKind: FeedKind { feed ?? FeedKind(at: upstream) }

    /// Only a v1 feed gets the API key; `observe` receives each response.
    package func feed(
        through client: Client, apiKey: String?,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        client.feed(feed, at: upstream, apiKey: apiKey, observe: observe)
    }
}
