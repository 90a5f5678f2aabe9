import APOD
import Glibc
import Platform
import TestSupport
import Testing
import Transfer

@testable import Service

/// A blocked event loop or thread pool ends the notifications; a service that takes its time does not.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchdogTests {
    @Test func aBlockedEventLoopStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectStall(blocking: .events) }
    }

    @Test func blockedWorkersStopTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectStall(blocking: .workers) }
    }

    /// A walk of a sleeping disk, or a server that sends nothing, may take hours.
    @Test func aSlowServiceIsAlive() async {
        await #expect(processExitsWith: .success) {
            for loop in [
                WatchedDaemon.Loop.mirror, .sync, .favorites, .views, .thumbnails,
            ] {
                try await withTemporaryFolder { folder in
                    let daemon = try WatchedDaemon(root: "\(folder)/apod", blocking: loop)
                    try await daemon.start()
                    daemon.block()

                    try await daemon.waitForNotifications(5)

                    #expect(daemon.gate.isBlocking)
                    daemon.gate.open()
                    await daemon.stop()
                }
            }
        }
    }
}

private func expectStall(blocking loop: WatchedDaemon.Loop) async throws {
    try await withTemporaryFolder { folder in
        let daemon = try WatchedDaemon(root: "\(folder)/apod", blocking: loop)
        try await daemon.start()
        daemon.block()

        daemon.waitForSilence()
        daemon.gate.open()
        try await daemon.waitForNotifications(3)
        await daemon.stop()
    }
}
