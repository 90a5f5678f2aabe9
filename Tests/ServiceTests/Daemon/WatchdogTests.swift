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

    @Test func aBlockedMirrorServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(blocking: .mirror, logging: "the mirror service does not answer")
        }
    }

    @Test func aStalledSyncStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(blocking: .sync, logging: "the mirror service does not answer")
        }
    }

    @Test func aBlockedFavoritesServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(
                blocking: .favorites, logging: "the favorites service does not answer")
        }
    }

    @Test func aBlockedGalleryServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(
                blocking: .gallery, logging: "the gallery service does not answer")
        }
    }

    @Test func aBlockedMetricsServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(
                blocking: .metrics, logging: "the metrics service does not answer")
        }
    }

    @Test func aBlockedThumbnailServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectStall(
                blocking: .thumbnails, logging: "the thumbnail service does not answer")
        }
    }

    /// A long scan answers no ping, but each link is progress.
    @Test func aProgressingScanFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectNotifications(whileBusy: .favorites)
        }
    }

    /// A long build of the gallery.
    @Test func aProgressingGalleryFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectNotifications(whileBusy: .gallery)
        }
    }

    @Test func progressingMetricsFeedTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectNotifications(whileBusy: .metrics)
        }
    }

    @Test func progressingThumbnailsFeedTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectNotifications(whileBusy: .thumbnails)
        }
    }

    /// A response of NASA may take hours.
    @Test func aSlowServerFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let isRequested = Monitor(false)
                let daemon = try WatchedDaemon(root: "\(folder)/apod", blocking: .mirror) {
                    address throws(TransferError) in
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
