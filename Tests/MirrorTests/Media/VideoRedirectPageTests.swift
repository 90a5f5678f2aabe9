import JSON
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import APOD
@testable import Mirror

/// The page beside the poster of a video, which opens the video in a browser.
@Suite(.timeLimit(.minutes(10))) struct VideoRedirectPageTests {
    private static let player = "https://www.youtube.com/embed/M6-iC_aYcug?rel=0"
    private static let page = "https://www.youtube.com/watch?v=M6-iC_aYcug"
    private let day = MirrorUnderTest.newest

    /// Runs `body` with a mirror whose newest day is a video.
    private func withVideo(
        _ media: SimulatedMedia? = nil, title: String = "A Flight",
        _ body: nonisolated(nonsending) (MirrorUnderTest) async throws -> Void
    ) async throws {
        try await withMirror(days: 3) { mirror in
            let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
            mirror.simulator.publish(
                SimulatedEntry(
                    day: day, title: title, explanationHTML: "Up, up.",
                    media: media ?? .iframe(src: Self.player, poster: poster)))
            try await body(mirror)
        }
    }

    private func record(_ mirror: MirrorUnderTest) throws -> DayRecord {
        try #require(try mirror.store.record(of: day))
    }

    /// The text of the page, `nil` if there is none.
    private func text(_ mirror: MirrorUnderTest) throws -> String? {
        guard let path = try record(mirror).video?.page else { return nil }
        return try mirror.tree.root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func thePageIsBesideThePosterAndLinksToTheVideo() async throws {
        try await withVideo { mirror in
            await mirror.sync()

            let record = try record(mirror)
            let path = "pictures/2026/2026-11/2026-11-20 A Flight.html"
            #expect(record.video?.page == path)
            #expect(record.picture?.path == "pictures/2026/2026-11/2026-11-20 A Flight.jpg")
            let text = try #require(try text(mirror))
            #expect(text.contains("<meta http-equiv=\"refresh\" content=\"0; url=\(Self.page)\">"))
            #expect(text.contains("<a href=\"\(Self.page)\">A Flight</a>"))
            #expect(try mirror.tree.root.status(path)?.modified == day.noon)
        }
    }

    @Test func aVideoWithoutAPosterHasAPageAndNoPicture() async throws {
        try await withVideo(.iframe(src: "//player.vimeo.com/video/80568171", poster: nil)) {
            mirror in
            let summary = await mirror.sync()

            let text = try #require(try text(mirror))
            #expect(text.contains("https://vimeo.com/80568171\""))
            let record = try record(mirror)
            #expect(record.missing != nil && record.picture == nil)
            #expect(summary.withFiles == 2)
            let index = try TreeSnapshot(of: mirror.tree.root)
            #expect(index.recorded.contains(day) && !index.pictured.contains(day))
        }
    }

    @Test(arguments: [true, false])
    func aVideoDownloadedLaterRemovesItsPage(hasPoster: Bool) async throws {
        let bytes =
            [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0, 0, 0, 0, 8] + Array("moov".utf8)
        let film = SimulatedPicture(name: "film.mp4", source: .bytes(bytes))
        let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
        try await withVideo(.videoFile(film, poster: hasPoster ? poster : nil)) { mirror in
            await mirror.sync()
            let page = try #require(try record(mirror).video?.page)

            await mirror.sync(downloadsVideos: true)

            let video = try record(mirror).video
            #expect(video?.path != nil && video?.page == nil)
            #expect(try mirror.tree.root.status(page) == nil)
        }
    }

    @Test func anEditChangesTheTextOfThePageAndNotItsName() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.title = "Another Flight"
            entry.media = .iframe(src: "https://player.vimeo.com/video/12", poster: nil)
            mirror.simulator.publish(entry)

            await mirror.sync()

            let video = try record(mirror).video
            #expect(video?.page == "pictures/2026/2026-11/2026-11-20 A Flight.html")
            let text = try #require(try text(mirror))
            #expect(text.contains("https://vimeo.com/12\"") && text.contains(">Another Flight<"))
            let names = try mirror.contents().keys
            #expect(names.count { $0.hasPrefix(Layout.pictures) && $0.hasSuffix(".html") } == 1)
        }
    }

    @Test func aPictureInPlaceOfTheVideoRemovesThePage() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            let path = try #require(try record(mirror).video?.page)
            try mirror.simulator.edit(day) { $0.media = Self.picture }

            await mirror.sync()

            let record = try record(mirror)
            #expect(record.video == nil && record.picture?.width == 64)
            #expect(try mirror.tree.root.status(path) == nil)
        }
    }

    @Test func aPageEditedByAUserIsNotChanged() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            let (folder, name) = Layout.split(try #require(try record(mirror).video?.page))
            try mirror.store.publishAlways(
                [1], in: mirror.tree.root.makeDirectory(folder), as: name)
            try mirror.simulator.edit(day) { $0.media = Self.picture }

            await mirror.sync()

            let bytes = try mirror.tree.root.read("\(folder)/\(name)")
            #expect(bytes == [1])
        }
    }

    @Test func aVideoThatNASANoLongerServesKeepsItsPage() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            let before = try record(mirror)
            try mirror.simulator.edit(day) { $0.media = .lost }

            await mirror.sync()

            let after = try record(mirror)
            #expect(after.video == before.video && after.picture == before.picture)
            let text = try #require(try text(mirror))
            #expect(text.contains(Self.page))
        }
    }

    private static let picture = SimulatedMedia.drawn("better.jpg", seed: 77, width: 64, height: 40)

    @Test func aLinkInPlaceOfThePageIsReplacedAndNotFollowed() async throws {
        try await withVideo { mirror in
            let folder = try mirror.tree.root.makeDirectory("pictures/2026/2026-11")
            try folder.symlink("2026-11-20 A Flight.html", to: "../../../innocent")
            let innocent = try mirror.tree.root.open("innocent", 0o1 | 0o100)
            try innocent.write([1], path: "innocent")

            await mirror.sync()

            let bytes = try mirror.tree.root.read("innocent")
            #expect(bytes == [1])
            let text = try #require(try text(mirror))
            #expect(text.contains(Self.page))
        }
    }

    /// The page of a record whose permalink is not at NASA.
    private func page(to video: String, title: String = "x") -> [UInt8]? {
        let entry = Entry(
            day: day, title: title, explanation: "", mediaType: "video",
            permalink: "https://example.com/", media: Media(video: video), feed: .basic)
        return DayRecord(entry, after: nil).redirectPage
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "</title><script>", "a\" onclick=\"x", "R&amp;D & <b>",
        "<\u{338}script>",
    ])
    func aTitleIsEscapedInThePage(title: String) throws {
        let page = try #require(self.page(to: Self.player, title: title))

        let text = String(decoding: page, as: UTF8.self)
        let plain = try #require(self.page(to: Self.player, title: "plain"))
        func marks(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { "<>\"".utf8.contains($0) } }
        #expect(marks(page) == marks(plain), "\(text)")
    }

    @Test(arguments: ["javascript:alert(1)", "", "data:text/html,<script>", "file:///etc/passwd"])
    func anAddressThatIsNotOfTheWebHasNoPage(video: String) {
        #expect(page(to: video) == nil)
    }

    @Test func aVideoOfAnUnknownSiteLinksToThePageOfNASA() async throws {
        let media = SimulatedMedia.iframe(src: "http://192.168.1.1/admin", poster: nil)
        try await withVideo(media) { mirror in
            await mirror.sync()

            let text = try #require(try text(mirror))
            #expect(text.contains("https://science.nasa.gov/image-article/apod-2026-november-20-"))
            #expect(!text.contains("192.168"))
        }
    }

    @Test func anAddressCannotEndItsAttribute() throws {
        let video = "https://a.nasa.gov/x\"><script>?a=1&b='"
        let page = try #require(self.page(to: video))

        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("href=\"https://a.nasa.gov/x%22%3E%3Cscript%3E?a=1&amp;b='\""))
    }
}
