package import APOD

/// The pending faults; the first that matches a request is applied to it.
struct FaultPlan: Sendable {
    /// The last value is how often a fault is still applied; `nil` for always.
    var items: [(fault: Fault, target: Target, times: Int?)] = []

    /// Takes the fault for `request`; `nil` if none matches.
    mutating func take(for request: SimulatedRequest) -> Fault? {
        guard let index = items.firstIndex(where: { $0.times != 0 && $0.target.includes(request) })
        else { return nil }
        items[index].times = items[index].times.map { $0 - 1 }
        return items[index].fault
    }
}

/// The requests that a fault affects.
package enum Target: Hashable, Sendable {
    case any
    /// Requests of feeds: lists and single days.
    case lists
    /// Requests of feeds by one route.
    case route(Route)
    /// All files.
    case media
    /// The originals of pictures in the basic feed, and its videos.
    case originals
    /// Requests of feeds for that day only, and its files.
    case day(Day)
    /// The files of that day.
    case mediaOf(Day)
    /// A decoded path, without a query.
    case path(String)

    func includes(_ request: SimulatedRequest) -> Bool {
        switch self {
        case .any: true
        case .lists: request.kind.isFeed
        case .route(let route): request.route == route
        case .media: request.kind == .media
        case .originals: request.kind == .media && request.path.hasPrefix("/content/dam/")
        case .day(let day): request.day == day
        case .mediaOf(let day): request.kind == .media && request.day == day
        case .path(let path): request.path == path
        }
    }
}
