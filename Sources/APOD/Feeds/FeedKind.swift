internal import Platform
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
    ///
    /// `https://api.nasa.gov/planetary/apod` and `http://nas:8080/v1/`, as compatible servers have it, are feeds of v1.
    package init(at url: WebURL) {
        let path = url.pathWithoutFinalSlashes + "/"
        let isV1 = ["/planetary/apod/", "/v1/"].contains { path.contains(bytes: $0) }
        self = isV1 ? .v1 : .basic
    }
}
