package import APOD
internal import CMicroHTTPD

/// A request as it arrived.
package struct SimulatedRequest: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A range of the basic feed.
        case list
        /// The basic feed without dates.
        case newest
        /// One day of the basic feed.
        case day
        /// Any request of the v1 feed.
        case v1
        /// The RSS feed, of any month.
        case rss
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

    /// The route of a request of a feed; `nil` for others.
    package var route: Route? {
        switch kind {
        case .list, .newest, .day, .v1: .api
        case .rss: .rss
        case .media: nil
        case .other: path.hasPrefix(Routes.classic) ? .classic : nil
        }
    }
}

extension SimulatedRequest {
    /// Copies what libmicrohttpd parsed.
    init(
        _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
        catalog: Catalog
    ) {
        self.method = unsafe String(cString: method)
        path = unsafe String(cString: url)
        query = unsafe values(of: connection, .GET_ARGUMENT_KIND)
        let headers = unsafe values(of: connection, .HEADER_KIND)
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        (kind, day) = Self.classify(path, query, catalog: catalog)
    }

    private static func classify(
        _ path: String, _ query: [String: String], catalog: Catalog
    ) -> (Kind, Day?) {
        if path.hasPrefix(Routes.basic) {
            let rest = path.dropFirst(Routes.basic.count).split(separator: "/")
            if let first = rest.first { return (.day, Day(compact: first)) }
            let isList = query["date_from"] != nil || query["date_to"] != nil
            return (isList ? .list : .newest, nil)
        }
        if path == Routes.rss { return (.rss, nil) }
        if path == Routes.v1 { return (.v1, query["date"].flatMap { Day(iso: $0) }) }
        let day = catalog.day(ofFileAt: path)
        let isFile = day != nil || Routes.media.contains { path.hasPrefix($0) }
        return (isFile ? .media : .other, day)
    }
}

private func values(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    var values: [String: String] = [:]
    unsafe withUnsafeMutablePointer(to: &values) { values in
        _ = unsafe MHD_get_connection_values(
            connection, kind,
            { context, _, name, value in
                if let values = unsafe context?.assumingMemoryBound(to: [String: String].self),
                    let name = unsafe name
                {
                    unsafe values.pointee[String(cString: name)] =
                        value.map { unsafe String(cString: $0) } ?? ""
                }
                return .YES
            }, values)
    }
    return values
}
