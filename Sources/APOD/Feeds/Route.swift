/// A way to NASA's days, in the order of their use: each while those before it cannot be used.
package enum Route: String, Hashable, Codable, Sendable, CaseIterable, Comparable {
    /// The feed of the settings, mostly NASA's API.
    case api
    /// NASA's RSS feed, which has the same fields.
    case rss
    /// The page of the day on a classic mirror, a copy of NASA's old site.
    case classic

    /// The route as in "came by NASA's RSS feed".
    package var name: String {
        switch self {
        case .api: "NASA's API"
        case .rss: "NASA's RSS feed"
        case .classic: "a classic mirror"
        }
    }

    private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether `first` is used before `second`, and so is nearer to NASA's own answer.
    package static func < (first: Route, second: Route) -> Bool {
        first.position < second.position
    }
}
