internal import Transfer

/// NASA's feed since 2026, "APOD Basic", and all that speak like it.
package struct BasicFeed: Feed {
    private let upstream: Upstream

    /// - Parameters:
    ///   - address: The feed's address as the user gave it; the server alone will do.
    ///   - request: Asks one address.
    package init(address: String, request: @escaping FeedRequest) {
        upstream = Upstream(
            address, path: "/wp-json/wp/v2/apod-basic", limit: 25, request: request)
    }

    package var kind: FeedKind { .basic }

    package func newest() async throws(FeedError) -> Listing {
        try await upstream.ask(newestAddress).newest(from: newestAddress)
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        let address = upstream.address.appending(day.compact)
        do {
            return try await upstream.ask(address).entry(of: day, from: address)
        } catch .transfer(.refused(_, 404, let body)) {
            guard
                case .error(_, "apod_basic_not_found", _) =
                    try AnswerBody(body, limit: 1, from: address)
            else {
                throw .transfer(.refused(address: address.description, status: 404, body: body))
            }
            throw .notPublished(day)
        }
    }

    package func listings(in days: ClosedRange<Day>) -> AsyncThrowingStream<Listing, any Error> {
        let pages = BasicPager(of: days, upstream: upstream)
        return AsyncThrowingStream(unfolding: { try await pages.next() })
    }

    private var newestAddress: WebAddress {
        upstream.address.adding(["per_page": "25", "page": "1"])
    }
}
