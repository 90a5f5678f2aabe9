internal import Platform

/// Notifies the service manager's watchdog as long as the event loop and the thread pool work.
///
/// The event loop has the timer, and the task that it resumes runs in the thread pool. If one of them is blocked, no
/// notification is sent, and the service manager restarts the process. A service that waits for a slow disk or server
/// blocks neither.
package struct Watchdog: Sendable {
    /// The time after which the service manager restarts a process that sent nothing; it is notified twice in this time.
    let timeout: Duration
    let notify: @Sendable () -> Void

    package func run() async throws {
        while true {
            notify()
            try await LoopClock().sleep(for: timeout / 2)
        }
    }
}

extension ServiceManager {
    /// The watchdog of this process; `nil` if the service manager has none for it.
    var watchdog: Watchdog? {
        watchdogTimeout.map { Watchdog(timeout: $0) { notify(.alive) } }
    }
}
