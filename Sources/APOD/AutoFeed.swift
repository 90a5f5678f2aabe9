internal import Platform

/// The feed that a server turns out to have, found by what comes back.
///
/// It is asked once, before the first entries; until it has answered, nothing is settled.
package struct AutoFeed: Feed {
    private let address: String
    private let basic: BasicFeed
    private let v1: V1Feed
    private let choice = Monitor<(any Feed)?>(nil)

    /// - Parameters:
    ///   - address: The feed's address as the user gave it; the server alone will do.
    ///   - apiKey: Sent with requests in the v1 manner only, and in no error.
    ///   - request: Asks one address.
    package init(address: String, apiKey: String?, request: @escaping FeedRequest) {
        self.address = address
        basic = BasicFeed(address: address, request: request)
        v1 = V1Feed(address: address, apiKey: apiKey, request: request)
    }

    /// The kind that is settled, until then the one that NASA has.
    package var kind: FeedKind { choice.withLock { $0 }?.kind ?? .basic }

    package func newest() async throws(FeedError) -> Listing {
        try await settled().newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        try await settled().entry(of: day)
    }

    package func listings(in days: ClosedRange<Day>) -> AsyncThrowingStream<Listing, any Error> {
        let listings = SettledListings(of: self, in: days)
        return AsyncThrowingStream(unfolding: { try await listings.next() })
    }

    /// The feed of the server.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` where it has neither, ``FeedError/transfer(_:)`` where that
    ///   cannot be said yet.
    package func settled() async throws(FeedError) -> any Feed {
        if let feed = choice.withLock({ $0 }) { return feed }
        let path = WebAddress(typed: address)?.path ?? ""
        let feed = try await path.contains("planetary/apod") ? choiceAtV1() : choiceAtBasic(path)
        guard let feed else {
            throw .unusable("\(address) has no feed of entries, neither APOD Basic nor v1")
        }
        choice.withLock { $0 = feed }
        return feed
    }

    private func choiceAtBasic(_ path: String) async throws(FeedError) -> (any Feed)? {
        switch try await basic.shape() {
        case .entries(.basic): return basic
        case .entries(.v1), .error(.v1): return v1
        default: break
        }
        guard path.isEmpty else { return nil }
        switch try await v1.shape() {
        case .entries(.some), .error(.v1): return v1
        default: return nil
        }
    }

    // NASA may let the address of v1 answer in the shape of v2, with or without its parameters.
    private func choiceAtV1() async throws(FeedError) -> (any Feed)? {
        switch try await v1.shape() {
        case .entries(.v1), .error(.v1): return v1
        case .entries(.basic): return try await basic.shape() == .entries(.basic) ? basic : v1
        case .error(.basic): return try await basic.shape() == .entries(.basic) ? basic : nil
        default: return nil
        }
    }
}

/// The listings of a feed that is settled when the first is wanted.
private actor SettledListings {
    private let feed: AutoFeed
    private let days: ClosedRange<Day>
    private var listings: AsyncThrowingStream<Listing, any Error>.AsyncIterator?

    init(of feed: AutoFeed, in days: ClosedRange<Day>) {
        self.feed = feed
        self.days = days
    }

    func next() async throws -> Listing? {
        if listings == nil {
            listings = try await feed.settled().listings(in: days).makeAsyncIterator()
        }
        var current = listings
        defer { listings = current }
        return try await current?.next(isolation: self)
    }
}
