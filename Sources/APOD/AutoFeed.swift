internal import Platform
internal import Transfer

/// The feed that a server turns out to have, found by what comes back.
///
/// It is settled once, by the first answer that has a valid entry; an outage settles nothing. The newest
/// entry is not asked for twice because of that.
package struct AutoFeed: Feed {
    private let address: String
    private let apiKey: String?
    private let request: FeedRequest
    private let choice = Monitor(Choice())

    private struct Choice {
        var kind: FeedKind?
        /// The question that is under way, for all who wait for the answer.
        var probe: Task<Result<Probe, FeedError>, Never>?
    }

    /// A feed's kind and the answer that proves it.
    private struct Probe: Sendable {
        let kind: FeedKind
        let newest: Listing
    }

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
    package var kind: FeedKind { choice.withLock(\.kind) ?? .basic }

    package func newest() async throws(FeedError) -> Listing {
        if let kind = choice.withLock(\.kind) { return try await feed(kind).newest() }
        return try await settle().newest
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
        if let kind = choice.withLock(\.kind) { return feed(kind) }
        return feed(try await settle().kind)
    }

    private func feed(_ kind: FeedKind) -> any Feed {
        switch kind {
        case .basic: BasicFeed(address: address, request: request)
        case .v1: V1Feed(address: address, apiKey: apiKey, request: request)
        }
    }

    // MARK: The choice

    /// Asks once, however many want to know at the same time.
    private func settle() async throws(FeedError) -> Probe {
        while true {
            let probe = choice.withLock { choice in
                let probe = choice.probe ?? Task { await self.probe() }
                choice.probe = probe
                return probe
            }
            let result = await withTaskCancellationHandler {
                await probe.value
            } onCancel: {
                probe.cancel()
            }
            choice.withLock { choice in
                if choice.probe == probe { choice.probe = nil }
                if case .success(let probe) = result { choice.kind = choice.kind ?? probe.kind }
            }
            // Another of those who waited was cancelled: ask again.
            if probe.isCancelled, !Task.isCancelled, case .failure = result { continue }
            return try result.get()
        }
    }

    private func probe() async -> Result<Probe, FeedError> {
        do throws(FeedError) {
            return .success(try await firstValid())
        } catch {
            return .failure(error)
        }
    }

    /// The kind in whose manner the server answers entries of that kind.
    private func firstValid() async throws(FeedError) -> Probe {
        let path = WebAddress(typed: address)?.path ?? ""
        let isV1Path = path.contains("planetary/apod")
        let (first, second): (FeedKind, FeedKind) = isV1Path ? (.v1, .basic) : (.basic, .v1)
        var newest: Listing?
        do throws(FeedError) {
            let listing = try await feed(first).newest()
            if listing.entries.first?.feed == first { return Probe(kind: first, newest: listing) }
            newest = listing
        } catch {
            // Only a server that says that it has no such thing may have the other.
            guard error.isRefusal(by: second, path: path) else { throw error }
        }
        do throws(FeedError) {
            let listing = try await feed(second).newest()
            if listing.entries.first?.feed == second { return Probe(kind: second, newest: listing) }
        } catch {
            // NASA may let the address of v1 answer in the other shape, but not take its parameters.
            if isV1Path, let newest { return Probe(kind: .v1, newest: newest) }
            guard error.isMissingRoute else { throw error }
        }
        throw .unusable("\(address) has no feed of entries, neither APOD Basic nor v1")
    }
}

extension FeedError {
    /// Whether the server has nothing at that address.
    fileprivate var isMissingRoute: Bool {
        guard case .transfer(.refused(_, let status, _)) = self else { return false }
        return [400, 404, 405, 410].contains(status)
    }

    /// Whether it says that the server is of the kind `other`.
    fileprivate func isRefusal(by other: FeedKind, path: String) -> Bool {
        guard case .transfer(.refused(_, let status, let body)) = self, status < 500, status != 429
        else { return false }
        if case .error(other, _, _)? = try? AnswerBody(body, limit: 1, from: .nowhere) {
            return true
        }
        return path.isEmpty && isMissingRoute
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
