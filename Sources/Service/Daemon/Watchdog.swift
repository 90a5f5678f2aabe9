internal import Platform

/// Notifies the service manager's watchdog after all loops have answered a ping.
///
/// If one loop does not answer, no notification is sent, and the service manager restarts the process.
package struct Watchdog: DaemonService {
    /// A monitored loop; `ping` returns after its next iteration or the next progress of its work.
    typealias Loop = (name: String, ping: @Sendable () async throws -> Void)

    /// The timeout of the watchdog; notifications are sent twice as often.
    let interval: Duration
    /// The loops to ping, besides the event loop and the workers.
    let loops: [Loop]
    /// Receives a message for each loop that does not answer.
    let log: Log
    /// Called when all loops have answered.
    let notify: @Sendable () -> Void

    private var pause: Duration { interval / 2 }

    package func run() async throws {
        while true {
            let start = ContinuousClock.now
            try await pingAll()
            notify()
            try await LoopClock().sleep(until: start + pause, tolerance: nil)
        }
    }

    private func pingAll() async throws {
        let loops = [Self.events, Self.workers] + loops
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

    private static let events: Loop = (
        "the event loop", { try await LoopClock().sleep(for: .zero) }
    )
    private static let workers: Loop = (
        "the thread pool", { await Task(executorPreference: ThreadPoolExecutor.shared) {}.value }
    )
}
