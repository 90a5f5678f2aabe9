import Testing
import Transfer

@testable import APOD

/// The items of NASA's RSS feed become the entries that its API has, and what is wrong with one is no matter of others.
@Suite(.timeLimit(.minutes(10))) struct RSSFeedTests {
    private static let api: WebURL = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"

    private func feed(_ server: CannedServer) throws -> RSSFeed {
        try #require(RSSFeed(besideAPIAt: Self.api, request: server.request))
    }

    private func newest(_ text: String) async throws -> FeedPage {
        try await feed(CannedServer { _ in .text(text) }).newestPage()
    }

    private static let picture =
        "https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/apod/2026/september/M64.jpg"

    private static func page(_ date: String, _ body: String = "") -> String {
        "<!doctype html><html><head><title> APOD: \(date) - A Title</title></head><body>\(date)<br>\(body)"
    }

    /// An item as it was recorded on 2026-09-16, with the page of another date, or other contents.
    private static func item(
        _ date: String = "2026 September 16", title: String = "Webb&#039;s View of M64",
        hdurl: String = "\(picture)?w=3853&#038;h=4070&#038;fit=clip", page: String? = nil
    ) -> String {
        """
        <item>
        <title>\(title)</title>
        <link>https://science.nasa.gov/image-article/apod-2026-september-16-webbs-view-of-m64/</link>
        <pubDate>Wed, 16 Sep 2026 04:05:00 +0000</pubDate>
        <apod:url>https://science.nasa.gov/image-article/apod-2026-september-16-webbs-view-of-m64/</apod:url>
        <apod:hdurl>\(hdurl)</apod:hdurl>
        <apod:credit><![CDATA[NASA, CSA, ESA; <em>Processing</em>: G. Kober]]></apod:credit>
        <apod:copyright><![CDATA[NASA, CSA, ESA; <em>Processing</em>: G. Kober]]></apod:copyright>
        <apod:alt>Hubble and JWST image of M64.</apod:alt>
        <apod:explanation><![CDATA[<strong>Explanation: </strong>A <a href="ap260101.html">dark</a> eye &amp; more.]]></apod:explanation>
        <content:encoded><![CDATA[\(page ?? Self.page(date))]]></content:encoded>
        </item>
        """
    }

    private static let start = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
        xmlns:apod="https://science.nasa.gov/apod/"><channel><title>APOD Basic</title>
        """

    private static func rss(_ items: String...) -> String {
        start + items.joined(separator: "\n") + "</channel></rss>"
    }

    /// Its month has no next one.
    @Test func theLastSupportedDayCanBeRequested() async throws {
        let server = CannedServer { _ in .text(Self.rss()) }

        await #expect(throws: FeedError.notPublished(.last)) {
            try await feed(server).entry(of: .last)
        }
    }

    @Test func anItemIsTheEntryOfTheAPI() async throws {
        let element = basicElement(
            "2026-09-16",
            [
                "title": "Webb&#039;s View of M64",
                "permalink":
                    "https://science.nasa.gov/image-article/apod-2026-september-16-webbs-view-of-m64/",
                "hdurl": "\(Self.picture)?w=3853&h=4070&fit=clip",
                "credit": "NASA, CSA, ESA; <em>Processing</em>: G. Kober",
                "copyright": "NASA, CSA, ESA; <em>Processing</em>: G. Kober",
                "alt": "Hubble and JWST image of M64.",
                "explanation":
                    "<strong>Explanation: </strong>A <a href=\"ap260101.html\">dark</a> eye &amp; more.",
                "basic_html": Self.page("2026 September 16"),
            ])
        let ofAPI = try await CannedServer { _ in .page([element]) }.basic.newestPage()

        var entry = try #require(try await newest(Self.rss(Self.item())).entries.first)

        #expect(entry.route == .rss && entry.title == "Webb's View of M64")
        #expect(entry.explanation == "A dark eye & more." && entry.media.pictures.count > 1)
        entry.route = .api
        #expect(ofAPI.entries == [entry])
    }

    /// As WordPress writes it, which has no tags in it.
    @Test func theTitleIsText() async throws {
        let title = "M31: &#34;A&#34; &lt;Nebula&gt; &amp; More"

        let list = try await newest(Self.rss(Self.item(title: title)))

        #expect(list.entries.map(\.title) == ["M31: \"A\" <Nebula> & More"])
    }

    /// The date of the feed is that of publication, or wrong.
    @Test func theDateIsThatOfThePage() async throws {
        let list = try await newest(Self.rss(Self.item("2026 September 14")))

        #expect(try list.entries.map(\.day) == [day("2026-09-14")])
    }

    // MARK: Bad input

    private static let good = item("2026 September 15", title: "Good")

    /// Items that are refused, each with a part of the reason.
    private static let badItems: [(String, String)] = [
        (item(page: "<html></html>"), "no date"),
        ("<item></item>", "no date"),
        (item(hdurl: "https://science.nasa.gov/wp-content/nasa-logo.png"), "no picture"),
        (
            item(
                hdurl: "https://science.nasa.gov/wp-content/nasa-logo.png",
                page: page("2026 September 16", String(repeating: "x", count: 50_000))),
            "basic_html is longer than"
        ),
        (item(title: "NASA Science"), "placeholder"),
        (item("2026 September 15", title: "Twice"), "second entry"),
    ]

    @Test(arguments: badItems)
    func aBadItemIsRefusedWithAReasonAndTheOthersAreTaken(
        item: String, reason: String
    ) async throws {
        for text in [Self.rss(Self.good, item), "\n \u{1}" + Self.rss(Self.good, item)] {
            let list = try await newest(text)

            #expect(list.entries.map(\.title) == ["Good"])
            #expect(list.rejections.count == 1)
            #expect(list.rejections.first?.reason.contains(reason) == true, "\(list.rejections)")
        }
    }

    @Test func anItemInAnotherEncodingIsRefusedAndTheOthersAreTaken() async throws {
        let bad = Self.item(title: "Sm\u{FFFD}rg")
        let bytes = Array(Self.rss(bad, Self.good).utf8)
        let latin = Array("Sm\u{FFFD}rg".utf8)
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: latin) })
        // ö in ISO 8859-1.
        let mixed = bytes[..<(start + 2)] + [0xF6] + bytes[(start + 5)...]
        let server = CannedServer { _ in BufferedResponse(headers: [:], body: Array(mixed)) }

        let list = try await feed(server).newestPage()

        #expect(list.entries.map(\.title) == ["Good"])
        #expect(try list.rejections.map(\.day) == [day("2026-09-16")])
        #expect(list.rejections.first?.reason.contains("UTF-8") == true)
    }

    /// The bytes are UTF-8, whatever the declaration says; those of another encoding are no feed.
    @Test func theDeclaredEncodingDoesNotCount() async throws {
        let text = Self.rss(Self.item(title: "Smörg")).replacing("UTF-8", with: "ISO-8859-1")

        #expect(try await newest(text).entries.map(\.title) == ["Smörg"])
        let wide = BufferedResponse(
            headers: [:], body: [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] })
        await #expect { try await feed(CannedServer { _ in wide }).newestPage() } throws: { error in
            if case FeedError.unusable = error { true } else { false }
        }
    }

    @Test func itemsOutOfOrderAreTaken() async throws {
        let items = [14, 16, 15].map {
            Self.item("2026 September \($0)", hdurl: "https://example.org/\($0).jpg")
        }

        let list = try await newest(Self.rss(items.joined()))

        #expect(list.entries.map(\.day.day) == [16, 15, 14])
        #expect(list.covered == list.entries[0].day...list.entries[0].day)
    }

    @Test func whatIsCutOrMalformedIsLeftOut() async throws {
        let whole = Self.rss(Self.good, Self.item())
        let cut = String(whole.prefix(whole.count - 200))
        let broken = Self.rss(Self.good, Self.item(title: "R&D &nbsp; <b>x"))
        for text in [cut, broken] {
            #expect(try await newest(text).entries.contains { $0.title == "Good" })
        }
    }

    /// A feed of an item that refers to an entity of a document type.
    private static func declaring(_ entities: String, _ reference: String) -> String {
        "<!DOCTYPE rss [\(entities)]>\(start.drop { $0 != "\n" })\(item(title: reference))</channel></rss>"
    }

    private static func bombOfEntities() -> String {
        let entities = (1...12).map { number in
            let references = String(repeating: "&a\(number - 1);", count: 10)
            return "<!ENTITY a\(number) \"\(references)\">"
        }
        return declaring("<!ENTITY a0 \"lol\">\(entities.joined())", "&a12;")
    }

    private static func longTag() -> String {
        let attributes = (0..<40_000).map { "a\($0)=''" }.joined(separator: " ")
        return "<rss \(attributes)><channel>\(item())</channel></rss>"
    }

    private static let answers: [String] = [
        "", "<!doctype html><html><head><title>NASA Science</title></head></html>", "{\"a\": 1}",
        "[]", start, rss(), "\u{FEFF}", "<rss/>", "<rss><channel/></rss>", bombOfEntities(),
        declaring("<!ENTITY x SYSTEM \"file:///etc/passwd\">", "&x;"), longTag(),
        rss(String(repeating: item(), count: 101)), String(repeating: "<rss>", count: 100_000),
    ]

    @Test(arguments: answers.indices) func anotherAnswerIsUnusable(index: Int) async throws {
        await #expect { try await newest(Self.answers[index]) } throws: { error in
            guard case FeedError.unusable(let reason) = error else { return false }
            return reason.contains("https://science.nasa.gov/feed/apod-basic/ returned ")
        }
    }

    // MARK: Months

    @Test func olderDaysAreRequestedByMonths() async throws {
        let server = CannedServer { address in
            field("month", of: address) == "8"
                ? .text(Self.rss(Self.item("2026 August 31"), Self.item("2026 August 2")))
                : .text(Self.rss(Self.item("2026 September 1")))
        }

        let pages = try await feed(server).allPages(over: day("2026-08-02")...day("2026-09-03"))

        let requested = await server.requested
        #expect(
            requested
                == ["9", "8"].map {
                    "https://science.nasa.gov/feed/apod-basic/?year=2026&month=\($0)"
                })
        #expect(pages.flatMap(\.covered).count == 33)
        #expect(
            try pages.flatMap(\.entries).map(\.day)
                == ["2026-09-01", "2026-08-31", "2026-08-02"].map(day))
        #expect(try await feed(server).entry(of: day("2026-08-02")).route == .rss)
        let missing = try day("2026-08-03")
        await #expect(throws: FeedError.notPublished(missing)) {
            try await feed(server).entry(of: missing)
        }
    }

    @Test func anItemOfAnotherMonthIsRefusedAndTheOthersAreTaken() async throws {
        let server = CannedServer { _ in
            .text(Self.rss(Self.item(), Self.item("2026 August 2"), Self.item("1996 August 2")))
        }

        let page = try await feed(server).newestPage(of: day("2026-08-02")...day("2026-08-03"))

        #expect(try page.entries.map(\.day) == [day("2026-08-02")])
        #expect(page.rejections.map(\.day) == [nil, nil])
        #expect(page.rejections.allSatisfy { $0.reason.contains("outside of 2026-08-01") })
    }

    @Test func aServerThatIgnoresTheMonthSaysNothingAboutIt() async throws {
        let server = CannedServer { _ in .text(Self.rss(Self.item())) }

        await #expect(throws: FeedError.self) {
            try await feed(server).newestPage(of: day("2026-08-02")...day("2026-08-03"))
        }
    }

    @Test func aMonthThatIsNotFoundIsEmpty() async throws {
        let server = CannedServer.refusing(404, "")

        let page = try await feed(server).newestPage(of: day("2026-08-02")...day("2026-08-03"))

        #expect(page.entries == [] && page.covered.count == 2)
    }

    @Test(arguments: [
        ("https://a", "https://a/feed/apod-basic/"),
        ("https://a/wp-json/wp/v2/apod-basic/?key=1", "https://a/feed/apod-basic/?key=1"),
        ("https://a/apod", nil), ("https://a/planetary/apod", nil),
    ])
    func theFeedIsOnTheHostOfTheAPI(api: String, address: String?) async throws {
        let server = CannedServer { _ in .text(Self.rss(Self.item())) }
        let feed = RSSFeed(besideAPIAt: WebURL(stringLiteral: api), request: server.request)

        _ = try await feed?.newestPage()

        #expect(await server.requested == [address].compactMap { $0 })
    }
}
