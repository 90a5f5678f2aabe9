package import Transfer

package enum FeedKind: String, Hashable, Sendable, CaseIterable {
    /// `science.nasa.gov/wp-json/wp/v2/apod-basic`, since 2026.
    case basic
    /// `api.nasa.gov/planetary/apod` until 2026, and compatible feeds.
    case v1

    /// What a failure of this kind of feed means, and what to do; `nil` for the default feed.
    package var advice: String? {
        guard self == .v1 else { return nil }
        return "NASA ended its old API; to use its new feed, remove --upstream and --feed"
    }

    /// The kind of the feed at `url`, by its path.
    package init(at url: WebURL) {
        let path = url.pathWithoutFinalSlashes + "/"
        self = path.contains("/planetary/apod/") || path.contains("/v1/") ? .v1 : .basic
    }

    func feed(at url: WebURL, request: @escaping FeedRequest) -> any Feed {
        switch self {
        case .basic: BasicFeed(at: url, request: request)
        case .v1: V1Feed(at: url, request: request)
        }
    }
}

extension Client {
    /// Returns the feed at the user's `url`, which may lack a path.
    ///
    /// If `kind` is `nil`, the path says it. `observe` receives each response.
    package func feed(
        _ kind: FeedKind?, at url: WebURL,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        let request: FeedRequest = { url throws(TransferError) in
            let response = try await get(url)
            observe(response)
            return response
        }
        return (kind ?? FeedKind(at: url)).feed(at: url, request: request)
    }

    /// The other routes to the days of NASA's API at `url`, in the order of their use.
    package func otherRoutes(
        besideAPIAt url: WebURL, mirrors: [ClassicMirror], today: @escaping @Sendable () -> Day?
    ) -> [any Feed] {
        let rss = RSSFeed(besideAPIAt: url) { url throws(TransferError) in try await get(url) }
        let classic = ClassicFeed(mirrors, today: today) { url throws(TransferError) in
            try await get(url, as: .webPage, limit: TextLimit.article)
        }
        return (rss.map { [$0] } ?? []) + (mirrors.isEmpty ? [] : [classic])
    }
}
