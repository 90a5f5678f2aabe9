internal import APOD
internal import JSON

/// The routes below `/wp-json/wp/v2/apod-basic`.
///
/// Parameters that it does not know are ignored, as WordPress does.
struct SimulatedBasicFeed: Sendable {
    let origin: String
    let catalog: Catalog
    let settings: Simulator.Settings

    /// The response to a request; `rest` is the path after the route: empty, `/261120` or `/261120/html`.
    func response(to rest: Substring, query: [String: String]) -> SimulatedResponse {
        let parts = rest.split(separator: "/")
        guard let first = parts.first else { return list(query) }
        guard first.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), parts.count == 1 || parts[1] == "html"
        else { return Self.noRoute }
        guard let entry = Day(compact: first).flatMap(catalog.entry) else { return Self.notFound }
        return parts.count == 1
            ? .json(object(entry)) : .html(page(of: entry))
    }

    /// A page of the list, newest first.
    func list(_ query: [String: String]) -> SimulatedResponse {
        let dates = ["date_from", "date_to"].filter { query[$0] != nil }
        let numbers = ["per_page", "page"].filter { query[$0] != nil }
        let invalid =
            dates.filter { Day(compact: query[$0, default: ""]) == nil }
            + numbers.filter { (Int(query[$0, default: ""]) ?? 0) < 1 }
        guard invalid.isEmpty else {
            let names = invalid.joined(separator: ", ")
            return Self.error(400, "rest_invalid_param", "Invalid parameter(s): \(names)")
        }
        let from = query["date_from"].flatMap { Day(compact: $0) } ?? .first
        let to = query["date_to"].flatMap { Day(compact: $0) } ?? .last
        return page(
            query["page"].flatMap { Int($0) } ?? 1, fields: query["_fields"],
            of: catalog.listed(from: from, to: to),
            size: min(query["per_page"].flatMap { Int($0) } ?? Self.pageSize, Self.pageSize))
    }

    static let pageSize = 25

    private func page(
        _ page: Int, fields: String?, of days: [Day], size: Int
    ) -> SimulatedResponse {
        let count = (days.count + size - 1) / size
        guard page <= max(1, count) else {
            return Self.error(400, "rest_post_invalid_page_number", Self.pastEnd)
        }
        let shown = days.dropFirst((page - 1) * size).prefix(size)
        let fields = fields?.split(separator: ",").map(String.init)
        var response = SimulatedResponse.json(
            .array(
                shown.compactMap { day in
                    guard let element = catalog.entry(of: day).map(object) else { return nil }
                    guard let fields else { return element }
                    return .object(element.members.filter { fields.contains($0.key) })
                }))
        if settings.sendsTotals {
            response.headers += [
                ("X-WP-Total", "\(days.count)"), ("X-WP-TotalPages", "\(count)"),
            ]
        }
        return response
    }

    static let notFound = error(404, "apod_basic_not_found", "APOD not found.")
    static let noRoute = error(
        404, "rest_no_route", "No route was found matching the URL and request method.")

    private static let pastEnd =
        "The page number requested is larger than the number of pages available."

    private static func error(_ status: Int, _ code: String, _ message: String) -> SimulatedResponse
    {
        .json(
            [
                "code": .string(code), "message": .string(message),
                "data": ["status": .integer(status)],
            ], status: status)
    }
}
