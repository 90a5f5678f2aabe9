import APOD
import Glibc
import Platform
import TestSupport
import Testing
import Transfer

@testable import Service

/// The watchdog is fed by the loops themselves: one that stands still, and it starves.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WatchdogTests {
    @Test func aBlockedEventLoopStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectHunger(holding: .events) }
    }

    @Test func blockedWorkersStopTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectHunger(holding: .workers) }
    }

    @Test func aBlockedMirrorServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(holding: .days, saying: "the mirror service does not answer")
        }
    }

    @Test func aStalledSyncStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(holding: .look, saying: "the mirror service does not answer")
        }
    }

    @Test func aBlockedFavoritesServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(
                holding: .favorites, saying: "the favorites service does not answer")
        }
    }

    @Test func aBlockedGalleryServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(
                holding: .gallery, saying: "the gallery service does not answer")
        }
    }

    @Test func aBlockedMetricsServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(
                holding: .figures, saying: "the metrics service does not answer")
        }
    }

    @Test func aBlockedThumbnailServiceStopsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectHunger(
                holding: .thumbnails, saying: "the thumbnail service does not answer")
        }
    }

    /// A hundred thousand links are looked at: no link is an answer, each of them is progress.
    @Test func aProgressingScanFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await expectBeats(whileBusy: .favorites)
        }
    }

    /// The pages of thirty years are made.
    @Test func aProgressingGalleryFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectBeats(whileBusy: .gallery) }
    }

    @Test func progressingMetricsFeedTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectBeats(whileBusy: .figures) }
    }

    @Test func progressingThumbnailsFeedTheWatchdog() async {
        await #expect(processExitsWith: .success) { try await expectBeats(whileBusy: .thumbnails) }
    }

    /// NASA is waited for, for hours.
    @Test func aSlowServerFeedsTheWatchdog() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let isAsked = Monitor(false)
                let daemon = try WatchedDaemon(root: "\(folder)/apod", holding: .days) {
                    address throws(TransferError) in
                    isAsked.withLock { $0 = true }
                    try? await CancellableContinuation().wait()
                    throw .cancelled
                }
                try await daemon.start()
                while !isAsked.withLock(\.self) { usleep(1000) }

                try await daemon.waitForBeats(5)
                await daemon.stop()
            }
        }
    }
}

private func expectBeats(whileBusy loop: WatchedDaemon.Loop) async throws {
    try await withTemporaryFolder { folder in
        let daemon = try WatchedDaemon(root: "\(folder)/apod", holding: loop, busily: true)
        try await daemon.start()
        daemon.hang()

        try await daemon.waitForBeats(5)

        #expect(daemon.gate.holdsSomebody)
        daemon.gate.open()
        await daemon.stop()
    }
}

private func expectHunger(
    holding loop: WatchedDaemon.Loop, saying complaint: String? = nil
) async throws {
    try await withTemporaryFolder { folder in
        let daemon = try WatchedDaemon(root: "\(folder)/apod", holding: loop)
        try await daemon.start()
        daemon.hang()

        #expect(daemon.beatsMeanwhile() == 0)

        if let complaint { #expect(daemon.text.contains(complaint), "\(daemon.text)") }
        daemon.gate.open()
        try await daemon.waitForBeats(3)
        await daemon.stop()
    }
}
