package import Platform

/// Notifies the service manager's watchdog after all loops have answered a ping.
///
/// If one loop does not answer, no notification is sent, and the service manager restarts the process.
package struct Watchdog: DaemonService {
    /// A monitored loop.
    package struct Loop: Sendable {
        package let name: String
        /// Returns after the next iteration of the loop or the next progress of its work.
        package let ping: @Sendable () async throws -> Void

        package init(_ name: String, ping: @escaping @Sendable () async throws -> Void) {
            self.name = name
            self.ping = ping
        }

        /// The loop of a service that waits for changes.
        init(_ name: String, _ changes: ChangeListener) {
            self.init(name) { try await changes.ping() }
        }
    }

    private let pause: Duration
    private let loops: [Loop]
    private let log: Log
    private let notify: @Sendable () -> Void

    /// - Parameters:
    ///   - interval: The watchdog timeout; notifications are sent twice as often.
    ///   - loops: The loops to ping, besides the event loop and the workers.
    ///   - log: Receives a message for each loop that does not answer.
    ///   - notify: Called when all loops have answered.
    package init(
        every interval: Duration, of loops: [Loop], log: Log, notify: @escaping @Sendable () -> Void
    ) {
        pause = interval / 2
        self.loops = [.events, .workers] + loops
        self.log = log
        self.notify = notify
    }

    package func run() async throws {
        while true {
            let start = ContinuousClock.now
            try await pingAll()
            notify()
            try await LoopClock().sleep(until: start + pause, tolerance: nil)
        }
    }

    private func pingAll() async throws {
        let silent = Monitor(loops.map(\.name))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reportSilent(silent) }
            for loop in loops {
                group.addTask {
                    try await loop.ping()
                    silent.withLock { $0.removeAll { $0 == loop.name } }
                }
            }
            for _ in loops { try await group.next() }
            group.cancelAll()
        }
    }

    /// Reports loops that have not answered in time.
    private func reportSilent(_ silent: Monitor<[String]>) async throws {
        try await LoopClock().sleep(for: pause)
        for name in silent.withLock({ $0 }) {
            log.error("\(name) does not answer; the service manager will restart apod-mirror")
        }
        try await CancellableContinuation().wait()
    }
}

extension Watchdog.Loop {
    fileprivate static let events = Self("the event loop") {
        try await LoopClock().sleep(for: .zero)
    }
    fileprivate static let workers = Self("the thread pool") {
        await Task(executorPreference: ThreadPoolExecutor.shared) {}.value
    }
}
