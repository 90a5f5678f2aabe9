internal import APOD
internal import JSON

/// The route `/planetary/apod`, as `api.nasa.gov` served it until 2026.
struct SimulatedV1Feed: Sendable {
    let origin: String
    let catalog: Catalog
    let settings: Simulator.Settings

    func response(to query: [String: String]) -> SimulatedResponse {
        guard Set(query.keys).isSubset(of: Self.fields) else {
            return Self.error(400, "Bad Request: incorrect field passed. \(Self.allowed)")
        }
        let isRange = query["start_date"] != nil || query["end_date"] != nil
        guard !isRange || query["date"] == nil, !isRange || query["start_date"] != nil else {
            return Self.error(400, "Bad Request: invalid field combination passed. \(Self.allowed)")
        }
        for name in ["date", "start_date", "end_date"] {
            guard let text = query[name], day(text) == nil else { continue }
            return Self.error(400, wrongDate(text))
        }
        guard let newest = catalog.published.last else { return Self.notFound("") }
        return isRange ? range(query, newest) : single(query, newest)
    }

    private func single(_ query: [String: String], _ newest: Day) -> SimulatedResponse {
        if let count = query["count"].flatMap({ Int($0) }), count > 0 {
            return .json(.array(catalog.published.suffix(count).compactMap { object($0, query) }))
        }
        let day = query["date"].flatMap(day) ?? newest
        guard !settings.badDays.contains(day) else { return Self.failure }
        guard let object = object(day, query) else { return Self.notFound("\(day)") }
        return .json(object)
    }

    private func range(_ query: [String: String], _ newest: Day) -> SimulatedResponse {
        let start = query["start_date"].flatMap(day) ?? newest
        let end = query["end_date"].flatMap(day) ?? newest
        guard start <= end else {
            return Self.error(400, "start_date cannot be after end_date")
        }
        let days = start...end
        guard !settings.badDays.contains(where: { days ~= $0 }) else { return Self.failure }
        let shown = catalog.published.filter { days ~= $0 }
        return .json(.array(shown.compactMap { object($0, query) }))
    }

    private func object(_ day: Day, _ query: [String: String]) -> JSON? {
        guard !settings.sendsV1Placeholders else {
            return SimulatedPlaceholder.v1Entry(of: day, at: origin)
        }
        guard let entry = catalog.entry(of: day) else { return nil }
        let hasThumbnail = ["true", "1"].contains(query["thumbs"]?.lowercased())
        let (large, shown) = addresses(of: entry)
        return [
            "copyright": entry.copyright.map(JSON.string),
            "date": .string(entry.day.description),
            "explanation": .string(FeedMarkup.plainText(of: entry.explanationHTML)),
            "hdurl": large.map(JSON.string),
            "media_type": .string(mediaType(of: entry)), "service_version": "v1",
            "thumbnail_url": hasThumbnail ? thumbnail(of: entry).map(JSON.string) : nil,
            "title": .string(entry.title), "url": shown.map(JSON.string),
        ]
    }

    private func thumbnail(of entry: SimulatedEntry) -> String? {
        guard entry.media.isVideo, let poster = entry.media.picture else { return nil }
        return origin + entry.v1Paths(of: poster).large
    }

    private func mediaType(of entry: SimulatedEntry) -> String {
        switch entry.media {
        case .videoFile, .iframe: "video"
        case .picture, .markupOnly: "image"
        case .lost, .other, .markup: "other"
        }
    }

    private func addresses(of entry: SimulatedEntry) -> (large: String?, shown: String?) {
        switch entry.media {
        case .picture(let picture), .markupOnly(let picture):
            let paths = entry.v1Paths(of: picture)
            return (origin + paths.large, origin + paths.shown)
        case .videoFile(let video, _): return (nil, origin + entry.v1Paths(of: video).large)
        case .iframe(let source, _): return (nil, source)
        case .lost, .other, .markup: return (nil, nil)
        }
    }

    /// The day named by `text`; `nil` unless it is published.
    private func day(_ text: String) -> Day? {
        guard let day = Day(iso: text), day <= catalog.published.last ?? .last else { return nil }
        return day
    }

    private func wrongDate(_ text: String) -> String {
        guard Day(iso: text) != nil, let newest = catalog.published.last else {
            return "time data '\(text)' does not match format '%Y-%m-%d'"
        }
        let name = Day.months[newest.month - 1].capitalizedASCII.prefix(3)
        let (day, year) = (newest.day, newest.year)
        return
            "Date must be between Jun 16, 1995 and \(name) \(day < 10 ? "0" : "")\(day), \(year)."
    }

    private static let fields: Set<String> = [
        "api_key", "concept_tags", "count", "date", "end_date", "hd", "start_date", "thumbs",
    ]
    private static let allowed = """
        Allowed request fields for apod method are 'concept_tags', 'date', 'hd', 'count', \
        'start_date', 'end_date', 'thumbs'
        """
    private static let failure = error(500, "Internal Service Error")

    static func notFound(_ day: String) -> SimulatedResponse {
        error(404, "No data available for date: \(day)")
    }

    private static func error(_ code: Int, _ message: String) -> SimulatedResponse {
        .json(
            ["code": .integer(code), "msg": .string(message), "service_version": "v1"],
            status: code)
    }
}
