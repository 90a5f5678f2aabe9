import Glibc
import TestSupport
import Testing

@testable import Platform
@testable import Service

/// A blocked event loop or thread pool ends the notifications; services that take their time do not.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchdogTests {
    @Test func aBlockedEventLoopStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            let watched = WatchedProcess()
            try await watched.run {
                let interest = EventLoop.shared.at(.now) { [gate = watched.gate] in gate.pass() }
                watched.waitForSilence()
                watched.gate.open()
                watched.waitForNotifications()
                withExtendedLifetime(interest) {}
            }
        }
    }

    @Test func blockedWorkersStopTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            let watched = WatchedProcess()
            try await watched.run {
                // As many as there are.
                watched.blockWorkers(16)
                watched.waitForSilence()
                watched.gate.open()
                watched.waitForNotifications()
            }
        }
    }

    /// A walk of a sleeping disk, or a server that sends nothing, may take hours.
    @Test func slowServicesAreAlive() async {
        await #expect(processExitsWith: .success) {
            let watched = WatchedProcess()
            try await watched.run {
                // The syncs and their disk, the favorites, the views and the thumbnails.
                watched.blockWorkers(5)
                watched.waitForNotifications()
                #expect(watched.gate.isBlocking)
                watched.gate.open()
            }
        }
    }
}

/// A process with a watchdog; what is blocked, blocks all of it.
private final class WatchedProcess: Sendable {
    let gate = Gate()
    private let notifications = Monitor(0)

    /// The interval of the watchdog.
    private static let interval = Duration.milliseconds(100)

    /// Runs the watchdog while `body` blocks it with the gate, which is shut.
    func run(_ body: () throws -> Void) async throws {
        // Ends a process that hangs; see alarm(2).
        alarm(UInt32(Duration.hang / .seconds(1)))
        let watchdog = Watchdog(timeout: Self.interval) { [notifications] in
            notifications.withLock { $0 += 1 }
            notifications.signal()
        }
        let task = Task(executorPreference: ThreadPoolExecutor.shared) { try await watchdog.run() }
        waitForNotifications()
        gate.shut()
        try body()
        task.cancel()
        _ = await task.result
    }

    /// Blocks so many threads of the pool, and waits until one is blocked.
    func blockWorkers(_ count: Int) {
        for _ in 0..<count {
            Task(executorPreference: ThreadPoolExecutor.shared) { [gate] in gate.pass() }
        }
        gate.waitUntilBlocking()
    }

    /// Returns after a few more notifications.
    func waitForNotifications() {
        let start = notifications.withLock(\.self)
        let _: Bool = notifications.wait { $0 >= start + 5 ? true : nil }
    }

    /// Returns when no notification came for ten intervals.
    func waitForSilence() {
        var (before, now) = (-1, notifications.withLock(\.self))
        while now != before {
            // The observed period, not a delay.
            usleep(UInt32(Self.interval * 10 / .microseconds(1)))
            (before, now) = (now, notifications.withLock(\.self))
        }
    }
}
