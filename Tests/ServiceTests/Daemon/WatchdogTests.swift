import APOD
import Glibc
import Platform
import TestSupport
import Testing
import Transfer

@testable import Service

/// The watchdog is notified by the loops: one blocked loop ends the notifications.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchdogTests {
    @Test func aBlockedEventLoopStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectStall(blocking: .events) }
    }

    @Test func blockedWorkersStopTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectStall(blocking: .workers) }
    }

    @Test func anyBlockedServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            for (loop, name) in [
                (WatchedDaemon.Loop.mirror, "mirror"), (.sync, "mirror"),
                (.favorites, "favorites"), (.views, "view"),
                (.thumbnails, "thumbnail"),
            ] {
                try await expectStall(
                    blocking: loop, logging: "the \(name) service does not answer")
            }
        }
    }

    /// A long scan of `favorites/` or build of the gallery: each file is progress.
    @Test func aProgressingServiceFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            for loop in [WatchedDaemon.Loop.favorites, .views, .thumbnails] {
                try await expectNotifications(whileBusy: loop)
            }
        }
    }

    /// A response of NASA may take hours.
    @Test func aSlowServerFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let isRequested = Monitor(false)
                let daemon = try WatchedDaemon(
                    root: "\(folder)/apod", blocking: .mirror, patience: MirrorService.patience
                ) { address throws(TransferError) in
                    isRequested.withLock { $0 = true }
                    try? await CancellableContinuation().wait()
                    throw .cancelled
                }
                try await daemon.start()
                while !isRequested.withLock(\.self) { usleep(1000) }

                try await daemon.waitForNotifications(5)
                await daemon.stop()
            }
        }
    }
}

private func expectNotifications(whileBusy loop: WatchedDaemon.Loop) async throws {
    try await withTemporaryFolder { folder in
        let daemon = try WatchedDaemon(root: "\(folder)/apod", blocking: loop, busily: true)
        try await daemon.start()
        daemon.block()

        try await daemon.waitForNotifications(5)

        #expect(daemon.gate.isBlocking)
        daemon.gate.open()
        await daemon.stop()
    }
}

private func expectStall(
    blocking loop: WatchedDaemon.Loop, logging message: String? = nil
) async throws {
    try await withTemporaryFolder { folder in
        let daemon = try WatchedDaemon(root: "\(folder)/apod", blocking: loop)
        try await daemon.start()
        daemon.block()

        daemon.waitForSilence()
        if let message { daemon.waitForLog(message) }
        daemon.gate.open()
        try await daemon.waitForNotifications(3)
        await daemon.stop()
    }
}
