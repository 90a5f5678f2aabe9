import Platform

/// Blocks threads.
final class Gate: Sendable {
    private let state = Monitor((isShut: false, waiting: 0))

    /// Whether a thread is blocked.
    var isBlocking: Bool { state.withLock { $0.waiting > 0 } }

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isShut = false
            return state.waiting
        }
        for _ in 0..<waiting { state.signal() }
    }

    /// Blocks this thread while the gate is shut.
    func pass() {
        state.withLock { $0.waiting += 1 }
        defer { state.withLock { $0.waiting -= 1 } }
        let _: Bool = state.wait { $0.isShut ? nil : true }
    }
}
