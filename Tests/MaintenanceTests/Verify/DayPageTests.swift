import MirrorTesting
import Platform
import Simulator
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
            mirror.simulator.publish(
                SimulatedEntry(day: day, title: "A Day", explanationHTML: "So.", media: media))
            try await body(mirror)
        }
    }

    private func text(_ mirror: MirrorUnderTest) throws -> String? {
        try mirror.record(0).page.flatMap { try mirror.text($0) }
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
            let record = try mirror.record(0)
            #expect(record.noPicture?.page == path && record.page == path)
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
            let path = try #require(try mirror.record(0).page)
            try mirror.replacePicture(0)
            mirror.advance(days: 1)

            await mirror.sync()

            let record = try mirror.record(0)
            #expect(record.picture != nil && record.page == nil)
            #expect(try mirror.tree.root.status(path) == nil)
        }
    }

    @Test func aPictureThatCannotBeRequestedNowHasNoPage() async throws {
        try await withMedia(.drawn("busy.jpg", seed: 3, width: 48, height: 32)) { mirror in
            mirror.simulator.inject(.status(500, body: nil), on: .mediaOf(day), times: nil)

            await mirror.sync()

            let record = try mirror.record(0)
            #expect(record.noPicture != nil && record.page == nil)
            #expect(try !mirror.contents().keys.contains { $0.hasSuffix(".html") })
        }
    }

    @Test func aDeletedPageIsWrittenAgain() async throws {
        try await withMedia(.other) { mirror in
            await mirror.sync()
            let path = try #require(try mirror.record(0).page)
            let before = try text(mirror)
            try mirror.remove(path)
            let findings = try mirror.findings()
            #expect(findings.map(\.path) == [path])

            let repairs = findings.map(Repairer(store: mirror.store).repair)
            #expect(repairs.map(\.action) == [.done("written again")])

            #expect(try text(mirror) == before)
        }
    }

    /// The repair follows the verification of all days, which takes hours.
    @Test func aPageOfAPersonThatTookThePlaceOfAMissingOneStays() async throws {
        try await withMedia(.other) { mirror in
            await mirror.sync()
            let path = try #require(try mirror.record(0).page)
            try mirror.remove(path)
            let findings = try mirror.findings()
            try mirror.write("mine", to: path)

            _ = findings.map(Repairer(store: mirror.store).repair)

            #expect(try mirror.text(path) == "mine")
        }
    }
}
