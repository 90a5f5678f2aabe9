internal import APOD

/// The answers of a NASA without faults, at one moment.
struct Router: Sendable {
    let origin: String
    let catalog: Catalog
    let settings: Simulator.Settings
    let renderedPictures: RenderedPictureCache

    func answer(_ request: Request) -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .page(405, "Method Not Allowed")
        }
        let path = request.path
        if path.hasPrefix(Routes.basic), settings.shapes.contains(.basic) {
            let rest = path.dropFirst(Routes.basic.count)
            guard rest.isEmpty || rest.hasPrefix("/") else { return BasicFeed.noRouteAnswer }
            return basic.answer(rest, query: request.query)
        }
        if path == Routes.v1, settings.shapes.contains(.v1) { return legacy.answer(request.query) }
        if path.hasPrefix("/wp-json/") { return BasicFeed.noRouteAnswer }
        if path == Routes.loop { return .redirect(to: origin + Routes.loop) }
        return MediaHandler(
            catalog: catalog, renderedPictures: renderedPictures, validators: settings.validators
        )
        .answer(request)
    }

    /// The 404 of the feed that was asked, or of a web server.
    func notFound(_ request: LoggedRequest) -> Answer {
        switch request.kind {
        case .list, .newest, .day: BasicFeed.notFound
        case .v1: LegacyFeed.notFound(request.query["date"] ?? "")
        case .media, .other: .page(404, "Not Found")
        }
    }

    /// An entry that nobody asked for, in the shape that was asked for.
    func wrongDay(_ request: LoggedRequest, _ asked: Request) -> Answer {
        let other = catalog.published.last { $0 != request.day } ?? .first
        switch request.kind {
        case .list, .newest: return basic.list([:])
        case .day: return basic.answer("/\(other.compact)", query: [:])
        case .v1 where request.day != nil: return legacy.answer(["date": "\(other)"])
        case .v1: return legacy.answer(["count": "25"])
        case .media, .other: return answer(asked)
        }
    }

    /// What NASA sends where it has nothing.
    func standIn(_ request: LoggedRequest) -> Answer {
        let day = request.day ?? catalog.published.last ?? .first
        switch request.kind {
        case .list, .newest: return .json(.array([StandIn.basicEntry(of: day, at: origin)]))
        case .day: return .json(StandIn.basicEntry(of: day, at: origin))
        case .v1: return .json(StandIn.legacyEntry(of: day, at: origin))
        case .media, .other: return .redirect(to: origin + StandIn.logoPath)
        }
    }

    private var basic: BasicFeed {
        BasicFeed(origin: origin, catalog: catalog, settings: settings)
    }

    private var legacy: LegacyFeed {
        LegacyFeed(origin: origin, catalog: catalog, settings: settings)
    }
}
