import MirrorTesting
import Platform
import Simulator
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

    /// The text of the page, `nil` if there is none.
    private func text(_ mirror: MirrorUnderTest) throws -> String? {
        try mirror.record(0).video?.page.flatMap { try mirror.text($0) }
    }

    @Test func thePageIsBesideThePosterAndLinksToTheVideo() async throws {
        try await withVideo { mirror in
            await mirror.sync()

            let record = try mirror.record(0)
            let path = "pictures/2026/2026-11/2026-11-20 A Flight.html"
            #expect(record.video?.page == path)
            #expect(record.picture?.path == "pictures/2026/2026-11/2026-11-20 A Flight.jpg")
            let text = try #require(try text(mirror))
            #expect(text.contains("<meta http-equiv=\"refresh\" content=\"0; url=\(Self.page)\">"))
            #expect(
                text.contains("<main>\n<h1><a href=\"\(Self.page)\">A Flight</a></h1>\n</main>"))
            #expect(try mirror.tree.root.status(path)?.modified == day.noon)
        }
    }

    /// With and without a picture beside it; by a start, and by the first poll of a day.
    @Test(arguments: [true, false], [SyncPlan.Retry.transient, .due])
    func aPageThatAPersonMovesAwayComesBack(
        hasPoster: Bool, retry: SyncPlan.Retry
    ) async throws {
        let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
        try await withVideo(.iframe(src: Self.player, poster: hasPoster ? poster : nil)) { mirror in
            await mirror.sync()
            await mirror.sync()
            let page = try #require(try mirror.record(0).page)
            let text = try #require(try mirror.text(page))
            try mirror.move(page, to: "mine.html")

            await mirror.sync(retry: retry)

            #expect(try mirror.text(page) == text && mirror.text("mine.html") == text)
            #expect(try mirror.tree.root.status(page)?.modified == day.noon)
        }
    }

    @Test func aVideoWithoutAPosterHasAPageAndNoPicture() async throws {
        try await withVideo(.iframe(src: "//player.vimeo.com/video/80568171", poster: nil)) {
            mirror in
            let summary = await mirror.sync()

            let text = try #require(try text(mirror))
            #expect(text.contains("https://vimeo.com/80568171\""))
            let record = try mirror.record(0)
            #expect(record.noPicture != nil && record.picture == nil)
            #expect(summary.withFiles == 2)
            let index = try TreeSnapshot(of: mirror.tree.root)
            #expect(index.recorded.contains(day) && index[day]?.hasPicture == false)
        }
    }

    @Test(arguments: [true, false])
    func aVideoDownloadedLaterRemovesItsPage(hasPoster: Bool) async throws {
        let film = SimulatedPicture(name: "film.mp4", source: .bytes(minimalFilm()))
        let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
        try await withVideo(.videoFile(film, poster: hasPoster ? poster : nil)) { mirror in
            await mirror.sync()
            let page = try #require(try mirror.record(0).video?.page)

            await mirror.sync(downloadsVideos: true)

            let video = try mirror.record(0).video
            #expect(video?.path != nil && video?.page == nil)
            #expect(try mirror.tree.root.status(page) == nil)
        }
    }

    @Test func anEditChangesTheTextOfThePageAndNotItsName() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            try mirror.simulator.edit(day) {
                $0.title = "Another Flight"
                $0.media = .iframe(src: "https://player.vimeo.com/video/12", poster: nil)
            }

            await mirror.sync()

            let video = try mirror.record(0).video
            let page = "pictures/2026/2026-11/2026-11-20 A Flight.html"
            #expect(try video?.page == page && mirror.damagedFiles() == [])
            #expect(try mirror.tree.root.status(page)?.modified == day.noon + 1)
            let text = try #require(try text(mirror))
            #expect(text.contains("https://vimeo.com/12\"") && text.contains(">Another Flight<"))
            let names = try mirror.contents().keys
            #expect(names.count { $0.hasPrefix(Layout.pictures) && $0.hasSuffix(".html") } == 1)
        }
    }

    @Test(arguments: [false, true])
    func aPictureInPlaceOfTheVideoRemovesThePageUnlessAUserEditedIt(isEdited: Bool) async throws {
        try await withVideo { mirror in
            await mirror.sync()
            let page = try #require(try mirror.record(0).video?.page)
            if isEdited { try mirror.write("mine", to: page) }
            try mirror.replacePicture(0)

            await mirror.sync()

            let record = try mirror.record(0)
            #expect(record.video == nil && record.picture?.width == 64)
            #expect(try mirror.text(page) == (isEdited ? "mine" : nil))
        }
    }

    @Test func aVideoThatNASANoLongerServesKeepsItsPage() async throws {
        try await withVideo { mirror in
            await mirror.sync()
            let before = try mirror.record(0)
            try mirror.simulator.edit(day) { $0.media = .lost }

            await mirror.sync()

            let after = try mirror.record(0)
            #expect(after.video == before.video && after.picture == before.picture)
            let text = try #require(try text(mirror))
            #expect(text.contains(Self.page))
        }
    }

    @Test func aLinkInPlaceOfThePageIsReplacedAndNotFollowed() async throws {
        try await withVideo { mirror in
            let folder = try mirror.tree.root.makeDirectory("pictures/2026/2026-11")
            try folder.symlink("2026-11-20 A Flight.html", to: "../../../innocent")
            try mirror.write("mine", to: "innocent")

            await mirror.sync()

            #expect(try mirror.text("innocent") == "mine")
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
        let quoted = page(to: "https://a.nasa.gov/x\"><script>?a=1&b='") ?? []
        #expect(
            String(decoding: quoted, as: UTF8.self).contains(
                "href=\"https://a.nasa.gov/x%22%3E%3Cscript%3E?a=1&amp;b='\""))
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
}
