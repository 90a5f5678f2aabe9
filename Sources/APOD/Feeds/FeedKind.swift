package import Transfer

/// The format of the answers of an API.
package enum FeedKind: String, Hashable, Sendable, CaseIterable {
    /// `science.nasa.gov/wp-json/wp/v2/apod-basic`, since 2026.
    case basic
    /// `api.nasa.gov/planetary/apod` until 2026, and compatible feeds.
    case v1

    /// A sentence for the log after a failure: what it may mean, and what to do; `nil` for the default feed.
    package var advice: String? {
        guard self == .v1 else { return nil }
        return "NASA ended its old API; to use its new feed, remove --upstream and --feed"
    }

    /// The kind of the feed at `url`, by its path.
    package init(at url: WebURL) {
        let path = url.pathWithoutFinalSlashes + "/"
        self = path.contains("/planetary/apod/") || path.contains("/v1/") ? .v1 : .basic
    }
}

extension Client {
    /// The feed at the user's `url`, which may lack a path.
    ///
    /// Without a `kind`, the path decides. `observe` receives each response.
    package func feed(
        _ kind: FeedKind?, at url: WebURL,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        let request: FeedRequest = { url throws(TransferError) in
            let response = try await get(url)
            observe(response)
            return response
        }
        return switch kind ?? FeedKind(at: url) {
        case .basic: BasicFeed(at: url, request: request)
        case .v1: V1Feed(at: url, request: request)
        }
    }

    /// The routes that are used while NASA's API at `url` fails, in their order.
    package func otherRoutes(
        besideAPIAt url: WebURL, mirrors: [ClassicMirror], today: @escaping @Sendable () -> Day?
    ) -> [any Feed] {
        var routes: [any Feed] = []
        let rss = RSSFeed(besideAPIAt: url) { url throws(TransferError) in
            try await get(url, limit: RSSFeed.maximumSize)
        }
        if let rss { routes.append(rss) }
        let classic = ClassicFeed(mirrors: mirrors, today: today) { url throws(TransferError) in
            try await get(url, as: .webPage, limit: TextLimit.article)
        }
        if !mirrors.isEmpty { routes.append(classic) }
        return routes
    }
}
