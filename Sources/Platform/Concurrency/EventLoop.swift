internal import CLinux
internal import Glibc

/// One thread that waits for descriptors and for moments in time, and sleeps otherwise.
///
/// It runs small closures only, in poll(2); tasks run on ``ThreadPoolExecutor``.
package final class EventLoop: Sendable {
    package static let shared = EventLoop()

    /// What the thread waits for; letting go of ``Interest`` ends it.
    package final class Interest: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        /// All of `interests`, until this one ends.
        convenience init(_ interests: [Interest]) {
            self.init { for interest in interests { interest.cancel() } }
        }

        package func cancel() { end() }
        deinit { end() }
    }

    private struct State {
        var nextID = 0
        /// Whether `readers` are others than those that are polled now.
        var isChanged = false
        var readers: [Int: (poll: pollfd, body: @Sendable () -> Void)] = [:]
        var sleepers: [Int: (deadline: ContinuousClock.Instant, wake: @Sendable () -> Void)] = [:]

        mutating func newID() -> Int {
            nextID += 1
            return nextID
        }
    }

    private let state = Monitor(State())
    private let wakeUp: CInt

    private init() {
        wakeUp = clinux_eventfd()
        startThread("events") { self.work() }
    }

    /// Runs `body` on the loop's thread whenever `descriptor` can be read.
    package func onReadable(_ descriptor: CInt, _ body: @escaping @Sendable () -> Void) -> Interest
    {
        on(POLLIN, of: descriptor, body)
    }

    /// Runs `body` on the loop's thread whenever the exceptional condition that poll(2) calls
    /// `POLLPRI` holds for `descriptor`.
    func onException(_ descriptor: CInt, _ body: @escaping @Sendable () -> Void) -> Interest {
        on(POLLPRI, of: descriptor, body)
    }

    private func on(
        _ condition: CInt, of descriptor: CInt, _ body: @escaping @Sendable () -> Void
    ) -> Interest {
        let id = state.withLock { state in
            let id = state.newID()
            state.readers[id] = (pollfd(fd: descriptor, events: Int16(condition), revents: 0), body)
            state.isChanged = true
            return id
        }
        wake()
        return Interest { [self] in
            let isRemoved = state.withLock { state in
                guard state.readers.removeValue(forKey: id) != nil else { return false }
                state.isChanged = true
                return true
            }
            if isRemoved { wake() }
        }
    }

    /// Runs `body` on the loop's thread once `deadline` has come.
    func at(_ deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> Interest
    {
        let id = state.withLock { state in
            let id = state.newID()
            state.sleepers[id] = (deadline, body)
            return id
        }
        wake()
        return Interest { [self] in state.withLock { $0.sleepers[id] = nil } }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeUp, &one, 8)
    }

    private func work() {
        var pollSet = PollSet(wakeUp: wakeUp)
        while true {
            let deadline = state.withLock { state in
                if state.isChanged { pollSet.replace(with: state.readers) }
                state.isChanged = false
                return state.sleepers.values.lazy.map(\.deadline).min()
            }
            pollSet.poll(Self.milliseconds(until: deadline)) { id in
                // It may have been let go of since it was waited for.
                state.withLock { $0.readers[id]?.body }?()
            }
            if deadline != nil { for wake in due() { wake() } }
        }
    }

    /// Takes those whose moment has come.
    private func due() -> [@Sendable () -> Void] {
        let now = ContinuousClock.now
        return state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
    }

    /// The timeout that poll(2) wants: never early, -1 for never.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        return CInt(min(max(left.rounded(.up), 0), 86_400_000))
    }
}
