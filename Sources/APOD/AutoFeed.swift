internal import Platform
internal import Transfer

/// The feed that a server turns out to have, found by what comes back.
///
/// It is settled once, by the first answers; the newest entry is not asked for twice because of that.
package struct AutoFeed: Feed {
    private let address: String
    private let apiKey: String?
    private let request: FeedRequest
    private let choice = Monitor<FeedKind?>(nil)

    /// - Parameters:
    ///   - address: The feed's address as the user gave it; the server alone will do.
    ///   - apiKey: Sent with requests in the v1 manner only, and in no error.
    ///   - request: Asks one address.
    package init(address: String, apiKey: String?, request: @escaping FeedRequest) {
        self.address = address
        self.apiKey = apiKey
        self.request = request
    }

    /// The kind that is settled, until then the one that NASA has.
    package var kind: FeedKind { choice.withLock { $0 } ?? .basic }

    package func newest() async throws(FeedError) -> Listing {
        if let kind = choice.withLock({ $0 }) { return try await feed(kind, by: request).newest() }
        let memory = Memory(request)
        let kind = try await settle(by: memory.ask)
        return try await feed(kind, by: memory.ask).newest()
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
        let known = choice.withLock { $0 }
        if let known { return feed(known, by: request) }
        return feed(try await settle(by: request), by: request)
    }

    private func feed(_ kind: FeedKind, by request: @escaping FeedRequest) -> any Feed {
        switch kind {
        case .basic: basic(by: request)
        case .v1: v1(by: request)
        }
    }

    private func basic(by request: @escaping FeedRequest) -> BasicFeed {
        BasicFeed(address: address, request: request)
    }

    private func v1(by request: @escaping FeedRequest) -> V1Feed {
        V1Feed(address: address, apiKey: apiKey, request: request)
    }

    // MARK: The choice

    private func settle(by request: @escaping FeedRequest) async throws(FeedError) -> FeedKind {
        let path = WebAddress(typed: address)?.path ?? ""
        let kind =
            try await path.contains("planetary/apod")
            ? choiceAtV1(request) : choiceAtBasic(path, request)
        guard let kind else {
            throw .unusable("\(address) has no feed of entries, neither APOD Basic nor v1")
        }
        choice.withLock { $0 = kind }
        return kind
    }

    private func choiceAtBasic(
        _ path: String, _ request: @escaping FeedRequest
    ) async throws(FeedError) -> FeedKind? {
        switch try await basic(by: request).shape() {
        case .entries(.basic): return .basic
        case .entries(.v1), .error(.v1): return .v1
        default: break
        }
        guard path.isEmpty else { return nil }
        switch try await v1(by: request).shape() {
        case .entries(.some), .error(.v1): return .v1
        default: return nil
        }
    }

    // NASA may let the address of v1 answer in the shape of v2, with or without its parameters.
    private func choiceAtV1(
        _ request: @escaping FeedRequest
    ) async throws(FeedError) -> FeedKind? {
        let shape = try await v1(by: request).shape()
        if shape == .entries(.v1) || shape == .error(.v1) { return .v1 }
        guard shape == .entries(.basic) || shape == .error(.basic) else { return nil }
        if try await basic(by: request).shape() == .entries(.basic) { return .basic }
        return shape == .entries(.basic) ? .v1 : nil
    }
}

/// A server whose answers are remembered: nothing is asked twice.
private struct Memory: Sendable {
    private let answers = Monitor<[String: FeedAnswer]>([:])
    private let request: FeedRequest

    init(_ request: @escaping FeedRequest) {
        self.request = request
    }

    func ask(_ address: String) async throws(TransferError) -> FeedAnswer {
        if let answer = answers.withLock({ $0[address] }) { return answer }
        let answer = try await request(address)
        answers.withLock { $0[address] = answer }
        return answer
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
