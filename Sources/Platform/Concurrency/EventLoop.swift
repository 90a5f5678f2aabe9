internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread that waits with poll(2) for descriptors and deadlines, and then runs the closures that were registered for them.
///
/// The closures must be short; tasks run on ``ThreadPoolExecutor``. Deadlines use a timer of the kernel rather than the timeout
/// of poll(2), which stops while the machine is suspended.
package final class EventLoop: Sendable {
    package static let shared = EventLoop()

    /// A descriptor or deadline that the thread waits for, until this object is released or ``cancel()`` is called.
    ///
    /// If the thread has just begun to run the closure, the closure may still run after the end of the registration. So the
    /// closure must keep the descriptor open, or its owner must ignore what the closure does.
    package final class Registration: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        package func cancel() { end() }
        deinit { end() }
    }

    /// A registration for a deadline.
    private typealias Sleeper = (deadline: ContinuousClock.Instant, body: @Sendable () -> Void)

    private struct LoopState {
        var nextID = 0
        var readers: [Int: (request: pollfd, body: @Sendable () -> Void)] = [:]
        var sleepers: [Int: Sleeper] = [:]

        mutating func newID() -> Int {
            nextID += 1
            return nextID
        }

        /// What poll(2) is to wait for, and the next deadline.
        ///
        /// The closures are left out: while poll(2) waits, nothing but the registration may keep a closure alive.
        var awaited: (readers: [(id: Int, request: pollfd)], deadline: ContinuousClock.Instant?) {
            (
                readers.map { (id: $0.key, request: $0.value.request) },
                sleepers.values.lazy.map(\.deadline).min()
            )
        }
    }

    private let state = Mutex(LoopState())
    /// A descriptor of eventfd(2); writing to it ends poll(2).
    private let wakeUp: CInt
    /// A descriptor of timerfd_create(2), which can be read at the next deadline.
    private let timer: CInt

    private init() {
        wakeUp = clinux_eventfd()
        timer = clinux_timer(CLOCK_BOOTTIME)
        startThread("events") { self.work() }
    }

    /// Runs `body` on the loop's thread whenever `descriptor` can be read, or has another `condition` of poll(2).
    ///
    /// `body` must end the condition, such as by reading, or cancel the registration; otherwise it is called again and again.
    /// The registration must end before the descriptor is closed.
    package func onReadable(
        _ descriptor: CInt, condition: CInt? = nil, _ body: @escaping @Sendable () -> Void
    ) -> Registration {
        let events = Int16(condition ?? POLLIN)
        let id = state.withLock { state in
            let id = state.newID()
            let request = pollfd(fd: descriptor, events: events, revents: 0)
            state.readers[id] = (request, body)
            return id
        }
        wake()
        return Registration { [self] in
            // Released after the lock: the closure may be the last owner of a registration, whose end takes the lock.
            let removed = state.withLock { $0.readers.removeValue(forKey: id) }
            if removed != nil { wake() }
        }
    }

    /// Runs `body` on the loop's thread at `deadline`.
    package func at(
        _ deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void
    ) -> Registration {
        let id = state.withLock { state in
            let id = state.newID()
            state.sleepers[id] = (deadline, body)
            return id
        }
        wake()
        return Registration { [self] in
            // Released after the lock, as in `onReadable`.
            _ = state.withLock { $0.sleepers.removeValue(forKey: id) }
        }
    }

    /// Runs `body` on the loop's thread, and returns its result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        var registration: Registration?
        let result = await withCheckedContinuation { continuation in
            registration = at(.now) { continuation.resume(returning: body()) }
        }
        return withExtendedLifetime(registration) { result }
    }

    /// Ends poll(2), so that the thread looks at the registrations again.
    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeUp, &one, MemoryLayout.size(ofValue: one))
    }

    /// Waits for events, and runs the closures for them, as long as the process exists.
    private func work() {
        // The deadline for which the timer is set; `nil` once it has expired.
        var armedDeadline: ContinuousClock.Instant?
        while true {
            let (readers, deadline) = state.withLock { $0.awaited }
            if deadline != armedDeadline {
                _ = clinux_timer_set(timer, Self.nanoseconds(until: deadline))
                armedDeadline = deadline
            }
            let own = [wakeUp, timer].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let answers = Self.waitForEvents(own + readers.map(\.request))
            for answer in answers.prefix(own.count) where answer.revents != 0 {
                if answer.fd == timer { armedDeadline = nil }
                Self.resetCounter(answer.fd)
            }
            for (reader, answer) in zip(readers, answers.dropFirst(own.count))
            where answer.revents != 0 {
                // The reader may have been cancelled since poll(2) returned.
                state.withLock { $0.readers[reader.id]?.body }?()
            }
            if deadline != nil { for sleeper in removeDueSleepers() { sleeper.body() } }
        }
    }

    /// Waits by poll(2) without a timeout, and returns the requests with the events that have come.
    private static func waitForEvents(_ requests: [pollfd]) -> [pollfd] {
        var answers = requests
        let noTimeout: CInt = -1
        let result = unsafe poll(&answers, nfds_t(answers.count), noTimeout)
        // After an error, such as a lack of memory, the process would only seem alive: no signal or event would reach it.
        guard result >= 0 || errno == EINTR else {
            endProcess("cannot wait for events: \(unsafe String(cString: strerror(errno)))")
        }
        return answers
    }

    /// Sets the number of events in an eventfd or a timer to 0, by reading it as a number of 64 bits.
    private static func resetCounter(_ descriptor: CInt) {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }

    /// Removes and returns the sleepers whose deadline has come, in any order.
    private func removeDueSleepers() -> [Sleeper] {
        let now = ContinuousClock.now
        return state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return Array(due.values)
        }
    }

    /// The time until `deadline` for the timer: at least 1, because 0 stops the timer, which is for no deadline.
    private static func nanoseconds(until deadline: ContinuousClock.Instant?) -> Int64 {
        guard let deadline else { return 0 }
        let left = ContinuousClock.now.duration(to: deadline) / .nanoseconds(1)
        // 30 years, so that the number fits into `Int64`.
        let longest = 1e18
        return Int64(min(max(left.rounded(.up), 1), longest))
    }
}
