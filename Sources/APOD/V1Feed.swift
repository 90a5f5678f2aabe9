/// The feed that NASA had until 2026, `planetary/apod`, and all that speak like it.
package struct V1Feed: Feed {
    private let upstream: Upstream

    /// - Parameters:
    ///   - address: The feed's address as the user gave it; the server alone will do.
    ///   - apiKey: Sent with each request, and in no error.
    ///   - request: Asks one address.
    package init(address: String, apiKey: String?, request: @escaping FeedRequest) {
        upstream = Upstream(
            address, path: "/planetary/apod", limit: 400, key: apiKey, request: request)
    }

    package var kind: FeedKind { .v1 }

    package func newest() async throws(FeedError) -> Listing {
        try await upstream.ask(newestAddress).newest(from: newestAddress)
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        let address = upstream.address(of: day)
        do {
            return try await upstream.ask(address).entry(of: day, from: address)
        } catch .transfer(let error) {
            switch V1Refusal(error, from: address) {
            case .notPublished: throw .notPublished(day)
            case .tooNew(let newest) where newest < day: throw .notPublished(day)
            default: throw .transfer(error)
            }
        }
    }

    package func listings(in days: ClosedRange<Day>) -> AsyncThrowingStream<Listing, any Error> {
        let chunks = V1Pager(of: days, upstream: upstream)
        return AsyncThrowingStream(unfolding: { try await chunks.next() })
    }

    private var newestAddress: WebAddress { upstream.address.adding(["thumbs": "True"]) }
}

extension Upstream {
    /// Where the v1 shape has one day.
    func address(of day: Day) -> WebAddress {
        address.adding(["date": "\(day)", "thumbs": "True"])
    }

    /// Where the v1 shape has a range of days.
    func address(of days: ClosedRange<Day>) -> WebAddress {
        address.adding([
            "start_date": "\(days.lowerBound)", "end_date": "\(days.upperBound)", "thumbs": "True",
        ])
    }
}
