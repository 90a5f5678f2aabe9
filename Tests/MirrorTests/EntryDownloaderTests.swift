import APOD
import FoundationEssentials
import Glibc
import Platform
import Simulator
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(1))) struct DayKeeperTests {
    @Test func aDayThatWaitsForTheDiskLeavesTheCallersActorFree() async throws {
        try await withMirror(days: 1) { mirror in
            mirror.simulator.publish(
                SimulatedEntry(
                    day: MirrorUnderTest.newest, title: "A Page", explanationHTML: "No picture.",
                    media: .other))
            let setting = mirror.synchronizer()
            let entry = try #require(try await setting.feed.newest().entries.first)
            let caller = Caller()
            let keeper = EntryDownloader(
                store: setting.store, client: setting.client, keepsVideos: false,
                traffic: setting.traffic, now: caller.timeThatIsSlow)

            await withTaskExecutorPreference(ThreadPoolExecutor.shared) {
                async let outcome = caller.keep(entry, by: keeper)
                while !caller.isAsked { await Task.yield() }
                await caller.answer()
                _ = await outcome
            }

            #expect(caller.answeredInTime)
        }
    }

    /// An actor that has something else to do while a day is kept.
    private actor Caller {
        private nonisolated let state = Monitor((isAsked: false, hasAnswered: false, isLate: false))

        nonisolated var isAsked: Bool { state.withLock(\.isAsked) }
        nonisolated var answeredInTime: Bool { state.withLock { !$0.isLate } }

        func keep(_ entry: Entry, by keeper: EntryDownloader) async -> EntryOutcome {
            await keeper.keep(entry)
        }

        func answer() {
            state.withLock { $0.hasAnswered = true }
        }

        /// Holds the thread until the actor has answered, or has had ten seconds to.
        nonisolated func timeThatIsSlow() -> Date {
            state.withLock { $0.isAsked = true }
            let deadline = ContinuousClock.now + .seconds(10)
            while !state.withLock(\.hasAnswered), ContinuousClock.now < deadline { sched_yield() }
            state.withLock { if !$0.hasAnswered { $0.isLate = true } }
            return Date(timeIntervalSince1970: 0)
        }
    }
}
