import Testing
import Transfer

@testable import APOD

/// What both feeds do: their kinds and errors.
@Suite struct BothFeedsTests {
    @Test(arguments: [
        ("https://a", FeedKind.basic), ("https://a/x/apod-basic/", .basic), ("https://a/x", .basic),
        ("https://api.nasa.gov/planetary/apod", .v1), ("https://a/planetary/apod/", .v1),
        ("https://a/v1/", .v1), ("https://a/v1/apod", .v1), ("https://a/v10", .basic),
    ])
    func thePathOfAFeedSaysItsKind(address: String, kind: FeedKind) {
        #expect(FeedKind(at: WebURL(stringLiteral: address)) == kind)
    }

    @Test(arguments: FeedKind.allCases)
    func theErrorNamesAServerWithoutAFeed(kind: FeedKind) async {
        for server in [
            CannedServer { _ in .text("<html>Welcome</html>") },
            CannedServer.refusing(404, "<html>Not Found</html>"),
        ] {
            let feed: any Feed =
                switch kind {
                case .basic: BasicFeed(at: "https://a", request: server.request)
                case .v1: V1Feed(at: "https://a", request: server.request)
                }

            await #expect { try await feed.newestPage() } throws: { "\($0)".contains("https://a/") }
        }
    }

    // MARK: A picture of the site in place of each picture

    private static let site = "https://assets.science.nasa.gov"
    private static let shared = "\(site)/dynamicimage/assets/science/esd/climate/earth-hero.jpg"
    private static let own = "\(site)/content/dam/science/cds/apod/apod/2026/october/M64.jpg"

    /// Returns the newest list of APOD Basic, whose entries name the shared picture on so many days, and on one day their own.
    private func basicList(sharedDays: Int) async throws -> FeedPage {
        let shared = (0..<sharedDays).map { index in
            basicElement(
                "2026-10-0\(9 - index)",
                // The page has the same file under another address.
                [
                    "hdurl": "\(Self.shared)?w=\(1600 + index)&h=900&fit=clip",
                    "basic_html": "<img src='\(Self.shared)?w=400'>",
                ])
        }
        let own = basicElement("2026-10-02", ["hdurl": Self.own])
        return try await CannedServer { _ in .page(shared + [own]) }.basic.newestPage()
    }

    @Test func aPictureThatThreeDaysNameIsAPlaceholder() async throws {
        let two = try await basicList(sharedDays: 2)
        let three = try await basicList(sharedDays: 3)

        #expect(two.entries.map(\.media.namesNoPicture) == [false, false, false])
        #expect(three.entries.map(\.media) == [Media(), Media(), Media(), two.entries[2].media])
        #expect(three.entries.allSatisfy { $0.explanation == "A text." })
        #expect(three.rejections == [])
    }

    /// As it is with the logo in its place.
    @Test func anEntryOfV1WithAPictureThatThreeDaysNameIsRejected() async throws {
        let days = try day("2026-10-01")...day("2026-10-04")
        let pictures = [Self.own] + Array(repeating: "https://example.org/general.jpg", count: 3)
        let elements = zip(days, pictures).map { v1Element("\($0)", ["url": $1, "hdurl": $1]) }

        let page = try await CannedServer { _ in .page(elements) }.v1.newestPage(of: days)

        #expect(page.entries.map(\.day) == [days.lowerBound])
        #expect(page.rejections.compactMap(\.day) == Array(days.dropFirst()))
        #expect(page.rejections.allSatisfy { $0.reason == Placeholder.reason })
    }

    @Test func anItemOfTheRSSFeedWithAPictureThatThreeDaysNameIsRejected() async throws {
        let items = (1...4).map { index in
            """
            <item><title>M64</title><apod:hdurl>\(index == 1 ? Self.own : Self.shared)</apod:hdurl>
            <content:encoded><![CDATA[<title> APOD: 2026 October \(index) - M64</title>
            <img src="\(index == 1 ? Self.own : Self.shared)">]]></content:encoded></item>
            """
        }
        let server = CannedServer { _ in
            .text("<rss xmlns:apod='a' xmlns:content='c'>\(items.joined())</rss>")
        }
        let feed = try #require(
            RSSFeed(besideAPIAt: "https://science.nasa.gov", request: server.request))

        let page = try await feed.newestPage()

        #expect(page.entries.map(\.day.day) == [1])
        #expect(page.rejections.map(\.reason) == Array(repeating: Placeholder.reason, count: 3))
    }
}
