package import Platform

/// Tells the service manager that all goes its way, each time that all loops have just said so.
///
/// No clock feeds it: where one loop does not answer, it waits for that loop and says nothing, and the
/// service manager starts the process again.
package struct Watchdog: DaemonService {
    /// A loop of this process.
    package struct Loop: Sendable {
        package let name: String
        /// Returns once the loop has gone round since the call, or got on with something long.
        package let answer: @Sendable () async throws -> Void

        package init(_ name: String, answer: @escaping @Sendable () async throws -> Void) {
            self.name = name
            self.answer = answer
        }
    }

    private let pause: Duration
    private let loops: [Loop]
    private let log: Log
    private let beat: @Sendable () -> Void

    /// - Parameters:
    ///   - interval: How often ``Message/alive`` is expected at least: it is told twice as often.
    ///   - loops: Those that must answer, beside the two that carry all: the event loop and the workers.
    ///   - log: Told which loop does not answer.
    ///   - beat: Called when all have answered.
    package init(
        every interval: Duration, of loops: [Loop], log: Log, beat: @escaping @Sendable () -> Void
    ) {
        pause = interval / 2
        self.loops = [.events, .workers] + loops
        self.log = log
        self.beat = beat
    }

    package func run() async throws {
        while true {
            let start = ContinuousClock.now
            try await askAll()
            beat()
            try await LoopClock().sleep(until: start + pause, tolerance: nil)
        }
    }

    private func askAll() async throws {
        let silent = Monitor(loops.map(\.name))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await complain(of: silent) }
            for loop in loops {
                group.addTask {
                    try await loop.answer()
                    silent.withLock { $0.removeAll { $0 == loop.name } }
                }
            }
            for _ in loops { try await group.next() }
            group.cancelAll()
        }
    }

    /// Says which loops have not answered in time; they are waited for all the same.
    private func complain(of silent: Monitor<[String]>) async throws {
        try await LoopClock().sleep(for: pause)
        for name in silent.withLock({ $0 }) {
            log.error("\(name) does not answer: the service manager will start apod-mirror again")
        }
        try await CancellableContinuation().wait()
    }
}

extension Watchdog.Loop {
    fileprivate static let events = Self("the event loop") {
        try await LoopClock().sleep(for: .zero)
    }
    fileprivate static let workers = Self("the workers") {
        await Task(executorPreference: ThreadPoolExecutor.shared) {}.value
    }
}
