internal import Glibc
internal import Platform

/// Blocks requests, each on its own thread, until they are released.
final class HeldRequests: Sendable {
    private struct State {
        var gates: [Gate] = []
        var isStopped = false
    }

    private let state = Monitor(State())

    /// Blocks until ``release()`` or ``stop()``.
    ///
    /// - Returns: `false` after ``stop()``, when the request must not be answered.
    func hold() -> Bool {
        let gate = state.withLock { state -> Gate? in
            guard !state.isStopped else { return nil }
            let gate = Gate()
            state.gates.append(gate)
            return gate
        }
        gate?.wait()
        return !isStopped
    }

    /// Blocks for `duration`; returns `false` if stopped meanwhile.
    func pause(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isStopped {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return true }
            // Short enough for stop() to be prompt.
            usleep(UInt32(min(left, .milliseconds(20)) / .microseconds(1)))
        }
        return false
    }

    func release() {
        let gates = state.withLock { state in
            defer { state.gates = [] }
            return state.gates
        }
        for gate in gates { gate.open() }
    }

    /// Releases all requests, now and in future.
    func stop() {
        state.withLock { $0.isStopped = true }
        release()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }
}

/// Lets one thread wait for another.
private final class Gate: Sendable {
    private let isOpen = Monitor(false)

    func wait() {
        isOpen.wait { $0 ? () : nil }
    }

    func open() {
        isOpen.withLock { $0 = true }
        isOpen.signal()
    }
}
