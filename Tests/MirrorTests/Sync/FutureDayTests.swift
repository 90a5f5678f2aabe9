import APOD
import FoundationEssentials
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// Entries that are dated in the future, and clocks that are wrong.
@Suite(.timeLimit(.minutes(10))) struct FutureDayTests {
    let newest = MirrorUnderTest.newest

    /// Days and hours from now: when the program was built, what the mirror recorded, and the last accepted day;
    /// `nil` if the clock is behind, and no day is rejected for its date.
    @Test(
        arguments: [
            (-300, nil, 1), (-300, -5 * 24, 1), (-300, 20, 1), (-300, 25, nil), (-300, 9 * 24, nil),
            (1, nil, nil), (1, -5 * 24, nil),
        ] as [(Int, Int?, Int?)])
    func daysUpToTomorrowAreAcceptedUnlessTheClockIsBehind(
        built: Int, recorded: Int?, last: Int?
    ) {
        let now = Date(timeIntervalSince1970: Double(newest.noon))
        let dates = PlausibleDates(
            now: now, built: now.addingTimeInterval(Double(built) * 86_400),
            latestRecordedTime: recorded.map { now.addingTimeInterval(Double($0) * 3600) })

        #expect(dates.last == last.map { newest.advanced(by: $0) })
        #expect(dates.contains(newest.advanced(by: 1)))
        #expect(dates.contains(newest.advanced(by: 2)) == (last == nil))
        // Without a clock, an isolated day may be a mistake.
        let days = [-1, 0, 1, 300].map { newest.advanced(by: $0) }
        #expect(dates.newest(of: days) == newest.advanced(by: 1))
    }

    @Test(arguments: [2, 10_000], FeedKind.allCases)
    func anEntryDatedAfterTomorrowIsRejectedAlone(ahead: Int, feed: FeedKind) async throws {
        try await withMirror { mirror in
            await mirror.sync(feed: feed)
            mirror.simulator.publish(Self.entry(of: newest.advanced(by: ahead)))

            let summary = await mirror.sync(since: .days(12), feed: feed)

            #expect(summary.newestWithFiles == newest)
            #expect(try mirror.store.state().newest == newest)
            let retries = try mirror.store.state().retries
            #expect(retries.isEmpty)
            // A v1 feed returns this entry alone.
            #expect(feed == .v1 || (summary.newest == newest && summary.withFiles == 12))
            let contents = try mirror.contents()
            #expect(!contents.keys.contains { $0.contains("\(newest.advanced(by: ahead))") })
        }
    }

    @Test func aListThatIsOldDoesNotMoveTheNewestDayBack() async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.contents()
            mirror.simulator.newest = newest.advanced(by: -3)

            let summary = await mirror.sync()

            #expect(summary.newest == newest && summary.newestWithFiles == newest)
            #expect(try mirror.store.state().newest == newest)
            #expect(try mirror.contents() == before)
        }
    }

    /// NASA publishes the entry of today with the date of tomorrow.
    ///
    /// On the next day, the list ends with today until NASA has published tomorrow's entry.
    @Test func aDayWithAWrongDateIsNotTheNewestOnceNASAHasCorrectedTheDate() async throws {
        try await withSyncedMirror { mirror in
            let tomorrow = newest.advanced(by: 1)
            mirror.simulator.publish(Self.entry(of: tomorrow))
            let mistaken = await mirror.sync()
            #expect(mistaken.newestWithFiles == tomorrow)
            mirror.simulator.withdraw(tomorrow)
            mirror.advance(days: 1)

            let corrected = await mirror.sync()
            #expect(corrected.newest == newest && corrected.newestWithFiles == newest)
            #expect(try mirror.store.state().newest == newest)

            var entry = Self.entry(of: tomorrow)
            entry.title = "On Its Day"
            mirror.simulator.publish(entry)
            let published = await mirror.sync()
            #expect(published.newest == tomorrow && published.newestWithFiles == tomorrow)
            let record = try mirror.store.record(of: tomorrow)
            #expect(record?.entry.title == "On Its Day")

            // From now on, a list without the day is outdated.
            mirror.simulator.newest = newest
            let outdated = await mirror.sync()
            #expect(outdated.newest == tomorrow && outdated.newestWithFiles == tomorrow)
        }
    }

    /// Each sync records its own time.
    @Test(arguments: [-2, -30, -250])
    func aClockThatIsBehindDoesNotBecomeTrustedThroughItsSyncs(days: Int) async throws {
        try await withMirror(days: 14) { mirror in
            mirror.simulator.newest = newest.advanced(by: -1)
            await mirror.sync()
            mirror.simulator.newest = nil
            mirror.advance(days: days - 1)
            for _ in 1...3 {
                let summary = await mirror.sync(since: .days(12))

                #expect(summary.newest == newest && summary.newestWithFiles == newest)
                #expect(summary.withFiles == 12)
            }
        }
    }

    @Test func aClockThatWasAheadIsTrustedAgainOnceItIsRight() async throws {
        try await withMirror { mirror in
            mirror.advance(days: 4000)
            await mirror.sync()
            mirror.advance(days: -4000)
            await mirror.sync()
            mirror.simulator.publish(Self.entry(of: newest.advanced(by: 90)))

            let summary = await mirror.sync()

            #expect(summary.newest == newest && summary.newestWithFiles == newest)
        }
    }

    @Test(arguments: [nil, 300])
    func aComputerWhoseClockStartsIn1970MirrorsAllListedDays(ahead: Int?) async throws {
        try await withMirror { mirror in
            if let ahead { mirror.simulator.publish(Self.entry(of: newest.advanced(by: ahead))) }
            mirror.advance(days: -20_700)

            let summary = await mirror.sync()

            #expect(summary.newest == newest && summary.newestWithFiles == newest)
            #expect(summary.withFiles == 10)
        }
    }

    private static func entry(of day: Day) -> SimulatedEntry {
        SimulatedEntry(
            day: day, title: "From the Future", explanationHTML: "Not yet.",
            media: .drawn("future.jpg", seed: 7, width: 48, height: 32))
    }
}
