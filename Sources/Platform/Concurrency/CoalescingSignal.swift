/// What one task waits for: all that is put in until it looks is joined to one.
///
/// Put in while nobody waits, it is there for the next who does.
package final class CoalescingSignal<Content: OptionSet & Sendable>: Sendable {
    private struct State {
        var content: Content
        var waiter: CancellableContinuation?
    }

    private let state: Monitor<State>

    /// - Parameter content: What is in it from the start.
    package init(_ content: Content = []) {
        state = Monitor(State(content: content))
    }

    package func put(_ content: Content) {
        let waiter = state.withLock { state in
            state.content.formUnion(content)
            return state.waiter
        }
        waiter?.finish(.success(()))
    }

    /// Waits until there is something in it, and takes that.
    ///
    /// - Parameter deadline: When to return at the latest.
    /// - Returns: What was put in since the last call, nothing where the deadline came first.
    /// - Throws: `CancellationError`; what is in stays in.
    package func next(by deadline: ContinuousClock.Instant? = nil) async throws -> Content {
        let waiter = CancellableContinuation()
        let isEmpty = state.withLock { state in
            state.waiter = waiter
            return state.content.isEmpty
        }
        if isEmpty {
            try await waiter.wait { waiter in
                deadline.map { EventLoop.shared.at($0) { waiter.finish(.success(())) } }
            }
        }
        return state.withLock { state in
            defer { state = State(content: []) }
            return state.content
        }
    }
}
