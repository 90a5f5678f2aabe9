import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import APOD
@testable import Maintenance
@testable import Mirror

/// The page of a day without a picture or with a video at NASA: no day is without a file.
@Suite(.timeLimit(.minutes(10))) struct DayPageTests {
    private let day = MirrorUnderTest.newest

    private func withMedia(
        _ media: SimulatedMedia,
        _ body: nonisolated(nonsending) (MirrorUnderTest) async throws -> Void
    ) async throws {
        try await withMirror(days: 3) { mirror in
            publish(media, in: mirror)
            try await body(mirror)
        }
    }

    private func publish(_ media: SimulatedMedia, in mirror: MirrorUnderTest) {
        mirror.simulator.publish(
            SimulatedEntry(day: day, title: "A Day", explanationHTML: "So.", media: media))
    }

    private func text(_ mirror: MirrorUnderTest) throws -> String? {
        guard let path = try mirror.store.record(of: day)?.page else { return nil }
        return try mirror.tree.root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aVideoAtNASAHasAPageThatPlaysItAndNamesTheSetting() async throws {
        let address = "https://assets.science.nasa.gov/content/a%20film.mp4"
        try await withMedia(.iframe(src: address, poster: nil)) { mirror in
            await mirror.sync()

            let text = try #require(try text(mirror))
            #expect(text.contains("<video src=\"\(address)\" controls></video>"))
            #expect(text.contains("<code>--videos</code>"))
            #expect(!text.contains("http-equiv=\"refresh\""))
        }
    }

    @Test(arguments: [SimulatedMedia.other, .lost])
    func aDayWithoutAPictureHasAPageThatOpensNASAsArticle(media: SimulatedMedia) async throws {
        try await withMedia(media) { mirror in
            await mirror.sync()

            let path = "pictures/2026/2026-11/2026-11-20 A Day.html"
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.missing?.page == path && record.page == path)
            let text = try #require(try text(mirror))
            #expect(
                text.contains("url=https://science.nasa.gov/image-article/apod-2026-november-20-"))
            #expect(!text.contains("--videos"))
            #expect(try mirror.tree.root.status(path)?.modified == day.noon)
            #expect(try mirror.findings() == [])
            let before = try mirror.traces()
            mirror.advance(days: 1)
            await mirror.sync()
            #expect(try mirror.traces() == before)
        }
    }

    @Test func aPictureThatComesBackReplacesThePage() async throws {
        try await withMedia(.lost) { mirror in
            await mirror.sync()
            let path = try #require(try mirror.store.record(of: day)?.page)
            let picture = SimulatedPicture.drawn("found.jpg", seed: 3, width: 48, height: 32)
            publish(.picture(picture), in: mirror)
            mirror.advance(days: 1)

            await mirror.sync()

            let record = try mirror.store.record(of: day)
            #expect(record?.picture != nil && record?.page == nil)
            #expect(try mirror.tree.root.status(path) == nil)
        }
    }

    @Test func aPictureThatCannotBeRequestedNowHasNoPage() async throws {
        let picture = SimulatedPicture.drawn("busy.jpg", seed: 3, width: 48, height: 32)
        try await withMedia(.picture(picture)) { mirror in
            mirror.simulator.inject(.status(500, body: nil), on: .mediaOf(day), times: nil)

            await mirror.sync()

            let record = try #require(try mirror.store.record(of: day))
            #expect(record.missing != nil && record.page == nil)
            #expect(try !mirror.contents().keys.contains { $0.hasSuffix(".html") })
        }
    }
}
