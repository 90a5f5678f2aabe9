package import Transfer

/// The format of the entries that a feed sends: that of NASA's API since 2026, or that of the API before.
package enum FeedKind: String, Hashable, Sendable, CaseIterable {
    /// APOD Basic: `science.nasa.gov/wp-json/wp/v2/apod-basic` since 2026.
    case basic
    /// v1: `api.nasa.gov/planetary/apod` until 2026, and compatible feeds.
    case v1

    /// What the user can do after such a feed failed, as a sentence for the log; `nil` if there is no advice.
    package var advice: String? {
        switch self {
        case .basic: nil
        case .v1: "NASA ended its old API; to use its new feed, remove --upstream and --feed"
        }
    }

    /// Guesses the kind of the feed at `url` from its path.
    package init(at url: WebURL) {
        let path = url.pathWithoutFinalSlashes + "/"
        self = path.contains("/planetary/apod/") || path.contains("/v1/") ? .v1 : .basic
    }
}

extension Client {
    /// Returns the feed at the user's `url`; if `kind` is `nil`, the path of the URL decides which kind it is.
    ///
    /// `observe` receives each response to a request of the feed.
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

    /// Returns the feeds that are used one after the other while NASA's API at `url` fails: RSS, then classic `mirrors`.
    ///
    /// `today` returns the current day in UTC; `nil` if the clock is outside of the dates of the archive.
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
