package import APOD
internal import Platform

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

/// The requests that arrived, for tests to count and to await.
final class RequestLog: Sendable {
    private struct State {
        var requests: [LoggedRequest] = []
        var listeners: [Int: AsyncStream<LoggedRequest>.Continuation] = [:]
        var nextListener = 0
        var load = (now: 0, peak: 0)
    }

    private let state = Monitor(State())

    var requests: [LoggedRequest] { state.withLock { $0.requests } }

    /// The number of concurrent downloads: now, and the maximum since the last reset.
    var concurrency: (now: Int, peak: Int) { state.withLock { $0.load } }

    func begin(_ request: LoggedRequest) {
        let listeners = state.withLock { state in
            state.requests.append(request)
            if request.kind == .media {
                state.load.now += 1
                state.load.peak = max(state.load.peak, state.load.now)
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(request) }
    }

    func end(_ request: LoggedRequest) {
        guard request.kind == .media else { return }
        state.withLock { $0.load.now -= 1 }
    }

    func reset() {
        state.withLock { state in
            state.requests = []
            state.load.peak = state.load.now
        }
    }

    /// Future requests.
    func arrivals() -> AsyncStream<LoggedRequest> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: LoggedRequest.self)
        let id = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [state] _ in
            _ = state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return arrivals
    }

    /// Ends all sequences of arrivals.
    func close() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.finish() }
    }
}
