package import APOD

/// A request as it arrived.
package struct LoggedRequest: Hashable, Sendable {
    /// What it requests.
    package enum Kind: Hashable, Sendable {
        /// A range of the basic feed.
        case list
        /// The basic feed without dates.
        case newest
        /// One day of the basic feed.
        case day
        /// Any request of the v1 feed.
        case v1
        /// A file.
        case media
        case other

        var isFeed: Bool { self != .media && self != .other }
    }

    package let method: String
    /// Decoded, without the query.
    package let path: String
    /// Decoded.
    package let query: [String: String]
    /// By name in lower case.
    package let headers: [String: String]
    package let kind: Kind
    /// The requested day; `nil` for lists and for unknown files.
    package let day: Day?
    package let arrived: ContinuousClock.Instant

    package var range: String? { headers["range"] }
    package var ifNoneMatch: String? { headers["if-none-match"] }
    package var ifModifiedSince: String? { headers["if-modified-since"] }
    package var ifRange: String? { headers["if-range"] }
    package var userAgent: String? { headers["user-agent"] }
}

extension LoggedRequest {
    init(_ request: SimulatedRequest, catalog: Catalog) {
        method = request.method
        path = request.path
        query = request.query
        headers = request.headers
        arrived = .now
        (kind, day) = Self.classify(request, catalog: catalog)
    }

    private static func classify(_ request: SimulatedRequest, catalog: Catalog) -> (Kind, Day?) {
        let path = request.path
        if path.hasPrefix(Routes.basic) {
            let rest = path.dropFirst(Routes.basic.count).split(separator: "/")
            if let first = rest.first { return (.day, Day(compact: first)) }
            let isList = request.query["date_from"] != nil || request.query["date_to"] != nil
            return (isList ? .list : .newest, nil)
        }
        if path == Routes.v1 { return (.v1, request.query["date"].flatMap { Day(iso: $0) }) }
        let day = catalog.day(ofFileAt: path)
        let isFile = day != nil || Routes.media.contains { path.hasPrefix($0) }
        return (isFile ? .media : .other, day)
    }
}
