package import APOD
internal import FoundationEssentials
package import Platform
internal import Transfer

/// Requests NASA's newest list before a mirror is created: a wrong address leaves nothing on the disk.
package struct FirstRequest: Sendable {
    private let settings: Settings
    private let apiKey: String?
    private let wakeReasons = CoalescingSignal<WakeReason>()
    /// The time after which the daemon is reported as ready, even without an answer: systemd ends a start after 90
    /// seconds, see DefaultTimeoutStartSec= in systemd-system.conf(5).
    private static let longestStart = Duration.seconds(30)

    package init(_ settings: Settings, apiKey: String?) {
        self.settings = settings
        self.apiKey = apiKey
    }

    /// Sends the request once.
    package func send() async throws(FeedError) {
        _ = try await settings.feed(through: settings.client(), apiKey: apiKey).newest()
    }

    /// Sends the request again after each failure, with growing delays, and notifies the service manager.
    package func sendUntilAnswered(log: Log, notifying manager: ServiceManager) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await LoopClock().sleep(for: Self.longestStart)
                manager.notify(.ready)
                try await CancellableContinuation().wait()
            }
            if let interval = manager.watchdogTimeout {
                let watchdog = Watchdog(interval: interval, heartbeats: [], log: log) {
                    manager.notify(.alive)
                }
                group.addTask { try await watchdog.run() }
            }
            group.addTask { try await sendRepeatedly(log, manager) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func sendRepeatedly(_ log: Log, _ manager: ServiceManager) async throws {
        for failures in 1... {
            do {
                return try await send()
            } catch {
                try Task.checkCancellation()
                let advice = settings.feedKind.advice.map { "; \($0)" } ?? ""
                log.warning(
                    "\(error)\(advice); nothing is created in \(settings.root) before NASA answers",
                    about: "the first answer")
            }
            manager.notify(.ready)
            manager.notify(.status("waiting for NASA's first answer"))
            let pause = Backoff.sync.delay(after: failures) / .seconds(1)
            _ = try await wakeReasons.waitForSync(until: Date().addingTimeInterval(pause))
        }
    }

    /// Ends the pause between two requests.
    package func repeatNow() { wakeReasons.send(.sync) }
}
