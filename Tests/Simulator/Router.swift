internal import APOD
internal import JSON

/// The responses without faults.
struct Router: Sendable {
    let origin: String
    var catalog: Catalog
    let classicMirror: Catalog
    let settings: Simulator.Settings

    func response(to request: SimulatedRequest) -> SimulatedResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .page(405, "Method Not Allowed")
        }
        let path = request.path
        if path.hasPrefix(Routes.basic) {
            let rest = path.dropFirst(Routes.basic.count)
            guard rest.isEmpty || rest.hasPrefix("/") else {
                return SimulatedBasicFeed.noRoute
            }
            return basic.response(to: rest, query: request.query)
        }
        if path == Routes.rss { return rss.response(to: request.query) }
        if path == Routes.v1 { return v1.response(to: request.query) }
        if path.hasPrefix("/wp-json/") { return SimulatedBasicFeed.noRoute }
        if path == Routes.loop { return .redirect(to: origin + Routes.loop) }
        if path.hasPrefix(Routes.classic) { return classic(request) }
        return media(request)
    }

    /// The 404 of the requested feed, or of a web server.
    func notFound(_ request: SimulatedRequest) -> SimulatedResponse {
        switch request.kind {
        case .list, .newest, .day: SimulatedBasicFeed.notFound
        case .v1: SimulatedV1Feed.notFound(request.query["date"] ?? "")
        case .media, .other, .rss: .page(404, "Not Found")
        }
    }

    /// An entry of another day, in the requested shape.
    func wrongDay(_ request: SimulatedRequest) -> SimulatedResponse {
        let other = catalog.published.last { $0 != request.day } ?? .first
        switch request.kind {
        case .list, .newest: return basic.list([:])
        case .day: return basic.response(to: "/\(other.compact)", query: [:])
        case .v1 where request.day != nil: return v1.response(to: ["date": "\(other)"])
        case .v1: return v1.response(to: ["count": "\(SimulatedBasicFeed.pageSize)"])
        case .media, .other, .rss: return response(to: request)
        }
    }

    /// What NASA serves instead of a missing picture or entry.
    func placeholder(_ request: SimulatedRequest) -> SimulatedResponse {
        let day = request.day ?? catalog.published.last ?? .first
        switch request.kind {
        case .list, .newest:
            return .json(.array([SimulatedPlaceholder.basicEntry(of: day, at: origin)]))
        case .day: return .json(SimulatedPlaceholder.basicEntry(of: day, at: origin))
        case .v1: return .json(SimulatedPlaceholder.v1Entry(of: day, at: origin))
        case .rss: return rss.feed(of: [SimulatedPlaceholder.basicEntry(of: day, at: origin)])
        case .media, .other: return .redirect(to: origin + SimulatedPlaceholder.logoPath)
        }
    }

    var basic: SimulatedBasicFeed {
        SimulatedBasicFeed(origin: origin, catalog: catalog, settings: settings)
    }

    private var rss: SimulatedRSSFeed { SimulatedRSSFeed(basic: basic) }

    private var v1: SimulatedV1Feed {
        SimulatedV1Feed(origin: origin, catalog: catalog, settings: settings)
    }
}

/// The paths of NASA's feeds.
enum Routes {
    static let basic = "/wp-json/wp/v2/apod-basic"
    static let rss = "/feed/apod-basic/"
    static let v1 = "/planetary/apod"
    static let loop = "/redirect-loop"
    static let classic = "/en/"

    /// The prefixes of paths of files.
    static let media = [
        "/content/dam/", "/dynamicimage/", "/apod/image/", "/vi/", "/wp-content/", "/en/image/",
    ]
}
