package import APOD
internal import Platform
internal import Transfer

extension Settings {
    /// Where pictures are that NASA lost: another feed may have other pictures.
    var mirrors: [ClassicMirror] {
        typedMirrors ?? (upstream.isNASA ? ClassicMirror.standard : [])
    }

    func client(
        retry: RequestAttempts = .standard, transferMetrics: TransferMetrics = TransferMetrics()
    ) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream, mirrors: mirrors.map(\.directory)),
            retry: retry, pace: pace, width: jobs,
            bandwidth: bandwidth, hosts: HostPauses(), metrics: transferMetrics)
    }

    package var feedKind: FeedKind { feed ?? FeedKind(at: upstream) }

    /// Only a v1 feed gets the API key; `observe` receives each response.
    func feed(
        through client: Client, apiKey: String?,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        client.feed(feed, at: upstream, apiKey: apiKey, observe: observe)
    }

    /// Compares what NASA serves with what this program expects.
    package func survey() async -> FeedSurvey {
        let client = client(retry: .brief)
        return await FeedSurvey.run(at: upstream) { url async throws(TransferError) in
            try await client.get(url)
        }
    }
}
