internal import Platform

/// The requests that arrived, for tests to count and to await.
final class RequestLog: Sendable {
    private struct State {
        var requests: [SimulatedRequest] = []
        var listeners: [AsyncStream<SimulatedRequest>.Continuation] = []
        var load = (now: 0, peak: 0)
    }

    private let state = Monitor(State())

    var requests: [SimulatedRequest] { state.withLock { $0.requests } }

    /// The number of concurrent downloads: now, and the maximum since the last reset.
    var concurrency: (now: Int, peak: Int) { state.withLock { $0.load } }

    func begin(_ request: SimulatedRequest) {
        let listeners = state.withLock { state in
            state.requests.append(request)
            if request.kind == .media {
                state.load.now += 1
                state.load.peak = max(state.load.peak, state.load.now)
            }
            return state.listeners
        }
        for listener in listeners { listener.yield(request) }
    }

    func end(_ request: SimulatedRequest) {
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
    func arrivals() -> AsyncStream<SimulatedRequest> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: SimulatedRequest.self)
        state.withLock { $0.listeners.append(continuation) }
        return arrivals
    }

    /// Ends all sequences of arrivals.
    func close() {
        for listener in state.withLock(\.listeners) { listener.finish() }
    }
}
