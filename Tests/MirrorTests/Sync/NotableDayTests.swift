import APOD
import MirrorTesting
import Simulator
import TestSupport
import Testing

@testable import Mirror

/// Three real days that are unlike all others.
@Suite(.timeLimit(.minutes(10))) struct NotableDayTests {
    @Test(arguments: [FeedKind.basic, .v1])
    func aTextAVideoWithoutPosterAndAPictureOfAnotherMonth(feed: FeedKind) async throws {
        try await withTemporaryFolder { root in
            let days = Archive.notableEntries.map(\.day)
            let simulator = try Simulator(Archive(Archive.notableEntries))
            defer { simulator.stop() }
            let mirror = try MirrorUnderTest(simulator, root: root)
            let events = mirror.synchronizer(since: .days(1), favorites: Set(days), feed: feed)
                .sync()

            let summary = await events.summary()

            #expect(summary.obstacle == nil, "\(summary)")
            let state = try mirror.store.state()
            let records = try days.map { try #require(try mirror.store.record(of: $0)) }
            // The text, with the reason why there is no picture.
            #expect(records[0].entry.title == "The Scale of the Universe - Interactive")
            #expect(records[0].entry.copyright == "Cary & Michael Huang")
            #expect(records[0].picture == nil && state.retries[days[0]]?.hasNoPicture == true)
            // The address of the video.
            #expect(records[1].video?.url.hasSuffix("film_without_poster.mp4") == true)
            #expect(
                records[1].picture == nil && state.retries[days[1]]?.cause.isWithoutStill == true)
            // The whole picture.
            #expect(records[2].picture?.width == 430 && records[2].picture?.height == 339)
            if feed == .basic {
                #expect(records[2].picture?.origin.contains("/2026/october/") == true)
            }
            #expect(state.retries[days[2]] == nil)
        }
    }
}
