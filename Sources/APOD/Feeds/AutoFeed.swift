internal import Platform
package import Transfer

/// A feed whose kind is detected by the first response with a valid entry.
///
/// Every sync begins with ``newest()``, which detects the kind without an additional request. The first of
/// concurrent requests detects the kind for all of them. An outage detects nothing.
package struct AutoFeed: Feed {
    private let url: WebURL
    private let apiKey: String?
    private let request: FeedRequest
    private let detectedKind = Monitor<FeedKind?>(nil)
    private let detection = AsyncSemaphore(1)

    /// The user chose `url`; a server without a path is enough.
    ///
    /// The key is sent to a v1 feed only, and hidden in errors.
    package init(at url: WebURL, apiKey: String?, request: @escaping FeedRequest) {
        self.url = url
        self.apiKey = apiKey
        self.request = request
    }

    /// The detected kind; before, the kind that NASA has.
    package var kind: FeedKind { detectedKind.withLock(\.self) ?? .basic }

    package func newest() async throws(FeedError) -> FeedPage {
        let (kind, newest) = try await detect()
        if let newest { return newest }
        return try await feed(kind).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        try await detected().entry(of: day)
    }

    package func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) async throws(FeedError) -> any FeedPager {
        try await detected().pager(over: days, permit: permit)
    }

    /// Returns the feed of the detected kind.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if the server has neither feed, ``FeedError/transfer(_:)`` if
    ///   that is not known yet.
    package func detected() async throws(FeedError) -> any Feed {
        feed(try await detect().kind)
    }

    private func feed(_ kind: FeedKind) -> any Feed {
        kind.feed(at: url, apiKey: apiKey, request: request)
    }

    /// Returns the kind, and the newest page if this call requested it.
    ///
    /// One task at a time detects the kind; the others wait for the result.
    private func detect() async throws(FeedError) -> (kind: FeedKind, newest: FeedPage?) {
        if let kind = detectedKind.withLock(\.self) { return (kind, nil) }
        do {
            return try await detection.withPermit {
                if let kind = detectedKind.withLock(\.self) { return (kind, nil) }
                let (kind, newest) = try await probe()
                detectedKind.withLock { $0 = kind }
                return (kind, newest)
            }
        } catch let error as FeedError {
            throw error
        } catch {
            throw .transfer(.cancelled)
        }
    }

    /// Requests the newest page of one kind of feed, then of the other.
    private func probe() async throws(FeedError) -> (kind: FeedKind, newest: FeedPage) {
        let path = url.pathWithoutFinalSlashes
        let isV1Path = path.contains("planetary/apod")
        let (first, second): (FeedKind, FeedKind) = isV1Path ? (.v1, .basic) : (.basic, .v1)
        var newest: FeedPage?
        do throws(FeedError) {
            let page = try await feed(first).newest()
            if page.entries.first?.feed == first { return (first, page) }
            newest = page
        } catch {
            // Only a server that reports a missing route can have the other feed.
            guard error.isRefusal(by: second, path: path) else { throw error }
        }
        do throws(FeedError) {
            let page = try await feed(second).newest()
            if page.entries.first?.feed == second { return (second, page) }
        } catch {
            // A v1 path may return entries in the other shape but reject its parameters.
            if isV1Path, let newest { return (.v1, newest) }
            guard error.isMissingRoute else { throw error }
        }
        throw .unusable(
            "\(url) has neither an APOD Basic feed nor a v1 feed; check --upstream")
    }
}

extension FeedError {
    /// Whether the server has nothing at that URL.
    fileprivate var isMissingRoute: Bool {
        guard case .transfer(.refused(_, let status, _)) = self else { return false }
        return [400, 404, 405, 410].contains(status)
    }

    /// Whether the error shows that the server is of the kind `other`.
    fileprivate func isRefusal(by other: FeedKind, path: String) -> Bool {
        guard case .transfer(.refused(_, let status, let body)) = self, status < 500, status != 429
        else { return false }
        return ServerError(body: body)?.kind == other || (path.isEmpty && isMissingRoute)
    }
}
