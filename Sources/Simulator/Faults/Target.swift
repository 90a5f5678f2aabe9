package import APOD

/// The requests that a fault is for.
package enum Target: Hashable, Sendable {
    case any
    /// Whatever a feed answers: lists and single days.
    case lists
    /// All files.
    case media
    /// The feeds' answers about that day alone, and its files.
    case day(Day)
    /// The files of that day.
    case mediaOf(Day)
    /// A decoded path, without a query.
    case path(String)

    func includes(_ request: LoggedRequest) -> Bool {
        switch self {
        case .any: true
        case .lists: request.kind.isFeed
        case .media: request.kind == .media
        case .day(let day): request.day == day
        case .mediaOf(let day): request.kind == .media && request.day == day
        case .path(let path): request.path == path
        }
    }
}
