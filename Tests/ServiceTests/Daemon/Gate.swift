import Platform

/// Blocks threads.
final class Gate: Sendable {
    private let state = Monitor((isShut: false, waiting: 0))

    /// Whether a thread is blocked.
    var isBlocking: Bool { state.withLock { $0.waiting > 0 } }

    /// Blocks this thread until the gate blocks another one.
    func waitUntilBlocking() {
        let _: Bool = state.wait { $0.waiting > 0 ? true : nil }
    }

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
        state.withLock { $0.isShut = false }
        state.broadcast()
    }

    /// Blocks this thread while the gate is shut.
    func pass() {
        state.withLock { $0.waiting += 1 }
        state.broadcast()
        defer { state.withLock { $0.waiting -= 1 } }
        let _: Bool = state.wait { $0.isShut ? nil : true }
    }
}
