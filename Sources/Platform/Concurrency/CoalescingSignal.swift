/// Joins all options that are sent until one task receives them.
package final class CoalescingSignal<Content: OptionSet & Sendable>: Sendable {
    private struct SignalState {
        var content: Content
        /// Whether something was sent since the last wait.
        var isNew: Bool
        var waiter: CancellableContinuation?
    }

    private let state: Monitor<SignalState>

    /// - Parameter content: The options that the first call receives.
    package init(_ content: Content = []) {
        state = Monitor(SignalState(content: content, isNew: !content.isEmpty))
    }

    /// The options that were sent and not received yet.
    package var content: Content { state.withLock { $0.content } }

    package func send(_ content: Content) {
        let waiter = state.withLock { state in
            state.content.formUnion(content)
            state.isNew = true
            return state.waiter
        }
        waiter?.resume()
    }

    /// Receives the options without waiting; `nil` if there are none.
    package func removeAll() -> Content? {
        state.withLock { state in
            defer { (state.content, state.isNew) = ([], false) }
            return state.content.isEmpty ? nil : state.content
        }
    }

    /// Waits for options and receives them.
    ///
    /// - Parameters:
    ///   - descriptor: Returns when it can be read.
    ///   - deadline: When to return at the latest.
    /// - Returns: The options; none if the descriptor or the deadline came first.
    /// - Throws: `CancellationError`; the options stay.
    package func next(
        onReadable descriptor: CInt? = nil, by deadline: ContinuousClock.Instant? = nil
    ) async throws -> Content {
        if let content = removeAll() { return content }
        try await wait { EventLoop.shared.resume($0, onReadable: descriptor, by: deadline) }
        return removeAll() ?? []
    }

    /// Waits until something is sent, or returns at once if that happened since the last wait.
    ///
    /// - Parameter register: Registers for what else resumes the task.
    /// - Throws: `CancellationError`
    func wait(_ register: (CancellableContinuation) -> EventLoop.Registration?) async throws {
        try await CancellableContinuation().wait { waiter in
            let isNew = state.withLock { state in
                defer { state.isNew = false }
                state.waiter = waiter
                return state.isNew
            }
            if isNew { waiter.resume() }
            return register(waiter)
        }
    }
}
