import Testing
import Transfer

@testable import APOD

/// The pages of classic mirrors become the entries that NASA's API would have.
@Suite(.timeLimit(.minutes(10))) struct ClassicFeedTests {
    private static let mirrors = [
        ClassicMirror("https://apod.com/en"), ClassicMirror("https://b/apod/"),
    ]

    private func feed(_ server: CannedServer, today: String? = "2026-09-16") -> ClassicFeed {
        ClassicFeed(
            mirrors: Self.mirrors, today: { today.flatMap { Day(iso: $0) } },
            request: server.request)
    }

    private static let image = """
        <a href="image/2609/M64_Webb.jpg"><IMG SRC="image/2609/M64_Webb1024.jpg" alt="See Explanation."></a>
        """

    /// A page as NASA's old site had it in 2026.
    private static func page(
        _ date: String = "2026 September 16", _ media: String = image
    ) -> String {
        """
        <!doctype html><html><head><title> APOD: \(date) - Webb's View of M64
        </title></head>
        <body BGCOLOR="#F4F4FF"><center>
        <h1> Astronomy Picture of the Day </h1>
        <p><a href="archivepix.html">Discover the cosmos!</a> Each day a different image.
        <p>\(date)<br>
        \(media)
        </center>
        <center>
        <b> Webb's View of M64 </b> <br>
        <b> Image Credit &amp; <a href="lib/about_apod.html#srapply">Copyright</a>: </b>
        <a href="https://example.org/">Ada Lovelace</a>
        </center> <p>
        <b> Explanation: </b>
        A <a href="ap260101.html">dark</a> eye &amp; more.

        <p> A second paragraph.
        <p> <center> <b> Tomorrow's picture: </b> <a href="ap260917.html">open space</a>
        <hr> <a href="ap260915.html">&lt;</a> | <a href="archivepix.html">Archive</a> <hr>
        <b> Authors &amp; editors: </b> Robert Nemiroff <img src="lib/logo.gif">
        </center></body></html>
        """
    }

    @Test func aPageIsAnEntry() async throws {
        let entry = try await feed(CannedServer { _ in .text(Self.page()) })
            .entry(of: day("2026-09-16"))

        #expect(entry.title == "Webb's View of M64" && entry.route == .classic)
        #expect(entry.explanation == "A dark eye & more.\n\nA second paragraph.")
        #expect(
            entry.explanationHTML?.contains("href=\"https://apod.nasa.gov/apod/ap260101.html\"")
                == true)
        #expect(entry.credit == "Ada Lovelace" && entry.copyright == "Ada Lovelace")
        #expect(
            entry.media.pictures.map(\.url)
                == ["M64_Webb", "M64_Webb1024"].map { "https://apod.com/en/image/2609/\($0).jpg" })
        #expect(
            entry.mediaType == "image" && entry.permalink == "https://apod.com/en/ap260916.html")
    }

    @Test(arguments: ["<b>Explanation:</b>", "<strong> Explanation: </strong>"])
    func theLabelOfTheExplanationMayHaveOtherMarkup(label: String) async throws {
        let page = Self.page().replacing("<b> Explanation: </b>", with: label)

        let entry = try await feed(CannedServer { _ in .text(page) }).entry(of: day("2026-09-16"))

        let html = entry.explanationHTML
        #expect(html?.hasPrefix("<b>Explanation: </b>") == true, "\(html ?? "none")")
        #expect(html?.contains("<strong>") == false)
    }

    @Test(arguments: [
        ("<iframe src=\"https://www.youtube.com/embed/abcdefghijk?rel=0\"></iframe>", false),
        ("<video controls><source src=\"image/2609/flight.mp4\"></video>", true),
    ])
    func aPageMayHaveAVideo(media: String, isFile: Bool) async throws {
        let entry = try await feed(
            CannedServer { _ in .text(Self.page("2026 September 16", media)) }
        )
        .entry(of: day("2026-09-16"))

        #expect(entry.mediaType == "video" && entry.media.videoIsFile == isFile)
        #expect(!entry.media.pictures.contains { $0.url.contains("logo") })
    }

    /// A landing page, the newest page for each day, one without an explanation, or without media.
    @Test(arguments: [
        "", "<html><body>Welcome</body></html>", page("2026 September 17"),
        page().replacing("Explanation", with: ""),
        page("2026 September 16", ""), "2026 September 16",
    ])
    func anotherPageIsUnusable(page: String) async throws {
        let feed = feed(CannedServer { _ in .text(page) })

        await #expect {
            try await feed.entry(of: day("2026-09-16"))
        } throws: {
            if case FeedError.unusable = $0 { true } else { false }
        }
    }

    @Test func theNextMirrorIsAskedAfterOneThatLacksThePage() async throws {
        let server = CannedServer { address throws(TransferError) in
            guard address.hasPrefix("https://b/") else { throw .refused(address, 404, "") }
            return .text(Self.page())
        }

        let list = try await feed(server).newestPage()

        #expect(list.entries.first?.permalink == "https://b/apod/ap260916.html")
        #expect(await server.requested.count == 2)
    }

    @Test func beforeThePageOfTodayIsThereThatOfYesterdayIsTheNewest() async throws {
        let server = CannedServer { address throws(TransferError) in
            guard address.hasSuffix("/ap260916.html") else { throw .refused(address, 404, "") }
            return .text(Self.page())
        }

        #expect(try await feed(server, today: "2026-09-17").newestPage().covered.count == 1)
        await #expect(throws: FeedError.self) {
            try await feed(server, today: "2026-09-18").newestPage()
        }
        await #expect(throws: FeedError.self) { try await feed(server, today: nil).newestPage() }
    }

    /// Some mirrors send it in place of a page that is not there yet.
    @Test func aMirrorThatSendsItsNewestPageForEachDayHasANewestDay() async throws {
        let server = CannedServer { _ in .text(Self.page()) }

        let list = try await feed(server, today: "2026-09-17").newestPage()

        #expect(list.entries.map(\.day) == [try day("2026-09-16")])
        #expect(list.rejections == [])
        await #expect(throws: FeedError.notPublished(try day("2026-09-18"))) {
            try await feed(server, today: "2026-09-18").newestPage()
        }
    }

    @Test func oneMirrorThatFailsDoesNotHideTheNewestDayOfTheOther() async throws {
        let server = CannedServer { address throws(TransferError) in
            guard address.hasPrefix("https://apod.com/") else {
                throw .refused(address, 500, "")
            }
            guard address.hasSuffix("/ap260916.html") else { throw .refused(address, 404, "") }
            return .text(Self.page())
        }

        #expect(try await feed(server, today: "2026-09-17").newestPage().entries.count == 1)
    }

    @Test func aMirrorThatCannotBeReachedDoesNotHideWhyThePageOfAnotherIsRejected() async throws {
        let server = CannedServer { address throws(TransferError) in
            guard address.hasPrefix("https://b/") else { throw .refused(address, 500, "") }
            return .text(Self.page("2026 September 30"))
        }

        let day = try day("2026-09-16")
        let list = try await feed(server).newestPage(of: day...day)

        #expect(list.entries.isEmpty && list.rejections.map(\.day) == [day])
    }

    @Test func aRangeIsRequestedDayByDay() async throws {
        let server = CannedServer { address throws(TransferError) in
            if address.hasSuffix("/ap260914.html") { return .text(Self.page("2026 September 30")) }
            guard address.hasSuffix("/ap260916.html") else { throw .refused(address, 404, "") }
            return .text(Self.page())
        }

        let pages = try await feed(server).allPages(over: day("2026-09-14")...day("2026-09-16"))

        #expect(
            try pages.map(\.covered.lowerBound)
                == ["2026-09-16", "2026-09-15", "2026-09-14"].map(day))
        #expect(
            pages.map(\.entries.count) == [1, 0, 0] && pages.map(\.rejections.count) == [0, 0, 1])
    }
}
