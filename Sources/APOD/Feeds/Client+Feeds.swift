package import Transfer

/// Makes the feeds that send their requests through this client.
extension Client {
    /// Returns the feed at the user's `url`; if `kind` is `nil`, the path of the URL decides which kind it is.
    ///
    /// `observe` receives each response to a request of the feed.
    package func feed(
        _ kind: FeedKind?, at url: WebURL,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        let request: FeedRequest = { address throws(TransferError) in
            let response = try await get(address)
            observe(response)
            return response
        }
        return switch kind ?? FeedKind(at: url) {
        case .basic: BasicFeed(at: url, request: request)
        case .v1: V1Feed(at: url, request: request)
        }
    }

    /// Returns the feeds that are used one after the other while NASA's API at `url` fails: RSS, then classic mirrors.
    ///
    /// `today` returns the current day in UTC; `nil` if the clock is outside of the dates of the archive.
    package func otherRoutes(
        besideAPIAt url: WebURL, mirrors: [ClassicMirror], today: @escaping @Sendable () -> Day?
    ) -> [any Feed] {
        var feeds: [any Feed] = []
        let rss = RSSFeed(besideAPIAt: url) { address throws(TransferError) in
            try await get(address, limit: RSSFeed.maximumSize)
        }
        if let rss { feeds.append(rss) }
        if !mirrors.isEmpty {
            let classic = ClassicFeed(mirrors: mirrors, today: today) {
                address throws(TransferError) in
                try await get(address, as: .webPage, limit: TextLimit.article)
            }
            feeds.append(classic)
        }
        return feeds
    }
}
