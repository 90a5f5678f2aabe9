internal import Platform

/// A long-running part of the daemon; services run concurrently and do not know each other.
protocol DaemonService: Sendable {
    /// The sign of life of the service for ``Watchdog``.
    var heartbeat: Heartbeat { get }

    /// Runs until the task is cancelled, or throws a fatal error, which ends the daemon; files are always consistent.
    func run() async throws
}

/// Notifies the service manager's watchdog while every loop keeps its promise of a sign of life.
///
/// If one loop is late, no notification is sent, and the service manager restarts the process; the same
/// happens if the event loop or the thread pool is blocked, as this loop needs both.
package struct Watchdog: Sendable {
    /// The timeout of the watchdog; notifications are sent twice as often.
    let interval: Duration
    let heartbeats: [Heartbeat]
    /// Receives a message for each loop that is late.
    let log: Log
    let notify: @Sendable () -> Void

    package func run() async throws {
        var reported: Set<String> = []
        while true {
            let start = ContinuousClock.now
            let late = Set(heartbeats.filter { $0.isLate(by: interval / 2) }.map(\.name))
            if late.isEmpty { notify() }
            for name in late.subtracting(reported).sorted() {
                log.error("\(name) does not answer; the service manager will restart apod-mirror")
            }
            reported = late
            try await LoopClock().sleep(until: start + interval / 2, tolerance: nil)
        }
    }
}
