import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct EntryDownloaderTests {
    @Test func aDayThatWaitsForTheDiskDoesNotBlockTheCallersActor() async throws {
        try await withMirror(days: 1) { mirror in
            mirror.simulator.publish(
                SimulatedEntry(
                    day: MirrorUnderTest.newest, title: "A Page", explanationHTML: "No picture.",
                    media: .other))
            let caller = Caller()
            let synchronizer = mirror.synchronizer(now: caller.timeThatIsSlow)
            let entry = try #require(try await synchronizer.feed.newest().entries.first)
            let downloader = EntryDownloader(synchronizer: synchronizer, entry: entry)

            await withTaskExecutorPreference(ThreadPoolExecutor.shared) {
                async let outcome = caller.update(by: downloader)
                while !caller.isPlanned { await Task.yield() }
                await caller.answer()
                _ = await outcome
            }

            #expect(caller.answeredInTime)
        }
    }

    /// An actor that has other work during a download.
    private actor Caller {
        private nonisolated let state = Monitor(
            (isPlanned: false, hasAnswered: false, isLate: false))

        nonisolated var isPlanned: Bool { state.withLock(\.isPlanned) }
        nonisolated var answeredInTime: Bool { state.withLock { !$0.isLate } }

        func update(by downloader: EntryDownloader) async -> EntryOutcome {
            await downloader.update()
        }

        func answer() {
            state.withLock { $0.hasAnswered = true }
        }

        /// Blocks the thread until the actor has responded, or hangs.
        nonisolated func timeThatIsSlow() -> Date {
            state.withLock { $0.isPlanned = true }
            let deadline = ContinuousClock.now + .hang
            while !state.withLock(\.hasAnswered), ContinuousClock.now < deadline { sched_yield() }
            state.withLock { if !$0.hasAnswered { $0.isLate = true } }
            return Date(timeIntervalSince1970: 0)
        }
    }
}
