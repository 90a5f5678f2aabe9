package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform
internal import Transfer

/// Requests NASA's newest list before a mirror is created, so that a wrong address leaves nothing on the disk.
package struct FirstRequest: Sendable {
    /// The time after which the daemon notifies the service manager that it is ready, even without an answer.
    ///
    /// systemd ends a start after 90 seconds, see DefaultTimeoutStartSec= in systemd-system.conf(5).
    private static let longestStart = Duration.seconds(30)
    /// The shortest time between two requests if a change of the clock causes the second one.
    private static let pauseAfterClockChange = Duration.seconds(60)

    private let settings: Settings
    private let noteFile: ServiceNoteFile
    /// All attempts have one client, which keeps the pauses that hosts ask for.
    private let routes: FeedRoutes
    private let wakeReasons = CoalescingSignal<WakeReason>()

    /// `noteFile` is for the ``ServiceNote`` of the daemon, which waits for the answer.
    package init(_ settings: Settings, noteFile: ServiceNoteFile) {
        self.settings = settings
        self.noteFile = noteFile
        routes = settings.routes(through: settings.client())
    }

    /// Sends the request once.
    package func send() async throws(FeedError) {
        let now = Date()
        let dates = PlausibleDates(
            now: now, built: PlausibleDates.builtDate, latestRecordedTime: nil)
        _ = try await routes.poll(dates, at: now)
    }

    /// Sends the request until there is an answer, with growing delays after failures; for the daemon.
    ///
    /// Even an error that a wrong address causes does not end this, because its cause may be the network or the proxy, which the
    /// user may correct meanwhile. After the first failure or after ``longestStart``, the service manager is notified that the
    /// daemon is ready.
    package func sendUntilAnswered(log: Log, notifying manager: ServiceManager) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await LoopClock().sleep(for: Self.longestStart)
                manager.notify(.ready)
                // The first task that ends also ends the others: this one waits until it is cancelled.
                try await CancellableContinuation().wait()
            }
            if let watchdog = manager.watchdog { group.addTask { try await watchdog.run() } }
            group.addTask { try await sendRepeatedly(log: log, notifying: manager) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func sendRepeatedly(log: Log, notifying manager: ServiceManager) async throws {
        writeNote(reason: "no answer yet")
        for attempt in 1... {
            let start = ContinuousClock.now
            do {
                return try await send()
            } catch {
                try Task.checkCancellation()
                let advice = settings.feedKind.advice.map { "; \($0)" } ?? ""
                log.warning(
                    "\(error)\(advice); nothing is created in \(settings.root) before NASA answers",
                    about: "the first answer")
                writeNote(reason: "\(error)\(advice)")
            }
            manager.notify(.ready)
            manager.notify(.status("waiting for NASA's first answer"))
            let pause = Backoff.sync.delay(after: attempt) / .seconds(1)
            _ = try await wakeReasons.wait(
                until: Date().addingTimeInterval(pause),
                earliestAfterClockChange: start + Self.pauseAfterClockChange)
        }
    }

    private func writeNote(reason: String) {
        try? noteFile.write(.waiting(reason: reason), for: settings)
    }

    /// Sends the next request at once instead of after its pause.
    package func repeatNow() { wakeReasons.send(.request) }
}
