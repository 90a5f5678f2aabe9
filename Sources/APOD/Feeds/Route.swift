/// A way by which NASA's new days come to the mirror; a route is used while the routes before it, in this order, fail.
package enum Route: String, Hashable, Codable, Sendable, CaseIterable, Comparable {
    /// The feed of the settings, mostly NASA's API.
    case api
    /// NASA's RSS feed, whose entries have the same fields as those of the API.
    case rss
    /// The web page of the day on a classic mirror, which is a copy of NASA's old site.
    case classic

    /// The name in a sentence such as "2026-11-20 came by NASA's RSS feed".
    package var name: String {
        switch self {
        case .api: "NASA's API"
        case .rss: "NASA's RSS feed"
        case .classic: "a classic mirror"
        }
    }

    /// Whether `first` is used before `second`.
    package static func < (first: Route, second: Route) -> Bool {
        first.position < second.position
    }

    private var position: Int {
        switch self {
        case .api: 0
        case .rss: 1
        case .classic: 2
        }
    }
}
