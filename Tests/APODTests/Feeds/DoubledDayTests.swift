import APOD
import Testing
import Transfer

/// Entries that NASA dated wrongly, or lost the picture of.
@Suite(.timeLimit(.minutes(10))) struct DoubledDayTests {
    private static let url: WebURL = "https://science.nasa.gov/apod-basic"
    private static let address = url.text
    private static let doubled = Day(iso: "2007-07-16") ?? .first
    private static let missing = Day(iso: "2007-07-13") ?? .first

    private static func page(_ heading: String) -> String {
        """
        <!doctype html><html><head><title> APOD: \(heading) - A Title</title></head><body>
        <center><h1> Astronomy Picture of the Day </h1><p>\(heading)<br></center>
        <b> Tomorrow's picture: </b><a href="x">APOD: 2007 July 16 - Next</a></body></html>
        """
    }

    private static let wrong = basicElement(
        "\(doubled)", ["title": "Manhattanhenge", "basic_html": page("2007 July 13")])
    private static let right = basicElement(
        "\(doubled)", ["title": "The Lagoon Nebula", "basic_html": page("2007 July 16")])

    /// Serves the days of `range` in pages of 25, 2007-07-16 twice and 2007-07-13 not at all.
    private func server(_ range: ClosedRange<Day>, _ double: [String]) -> CannedServer {
        let elements = range.reversed().flatMap { day -> [(day: Day, text: String)] in
            switch day {
            case Self.doubled: double.map { (day: day, text: $0) }
            case Self.missing: []
            default: [(day: day, text: basicElement("\(day)"))]
            }
        }
        return CannedServer { .page(of: elements, at: $0) }
    }

    /// The duplicate in the middle of a page, at its top, and at its end.
    @Test(arguments: [[wrong, right], [right, wrong]], [0, 10, 23, 25, 30])
    func aDuplicateCostsNeitherDaysNorRequests(double: [String], newer: Int) async throws {
        let range = Self.doubled.advanced(by: -70)...Self.doubled.advanced(by: newer)
        let server = server(range, double)

        let pages = try await server.basic.allPages(over: range)

        let entries = pages.flatMap(\.entries)
        #expect(entries.map(\.day) == range.reversed().filter { $0 != Self.missing })
        #expect(entries.first { $0.day == Self.doubled }?.title == "The Lagoon Nebula")
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
        #expect(await server.requested.count == (range.count + 24) / 25)
        let reasons = pages.flatMap(\.rejections).map(\.reason)
        #expect(reasons.allSatisfy { $0.contains("2007-07-16") })
    }

    /// Such a feed rejects the request for the page after the last one.
    @Test func aDoubtfulEntryAtTheEndOfAFeedWithoutTotalsIsKept() async throws {
        let range = Self.doubled...Self.doubled.advanced(by: 3)
        let elements = range.sorted(by: >).dropLast().map { basicElement("\($0)") } + [Self.wrong]
        let server = CannedServer { address throws(TransferError) in
            guard field("page", of: address) == "1" else {
                throw .refused(address, 400, #"{"code":"rest_post_invalid_page_number"}"#)
            }
            return .page(elements)
        }

        let pages = try await server.basic.allPages(over: range)

        #expect(pages.flatMap(\.entries).map(\.day) == range.sorted(by: >))
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
    }

    @Test(arguments: ["2035-01-01", "2094-12-31", "1999-01-01"])
    func onlyAnEntryOutsideOfTheRangeIsRejected(date: String) async throws {
        let range = try day("2026-07-01")...day("2026-07-04")
        let days = ["2026-07-04", "2026-07-03", date, "2026-07-01"]
        let basic = CannedServer { _ in .page(days.map { basicElement($0) }, of: 1, total: 4) }
        let v1 = CannedServer { _ in .page(days.map { v1Element($0) }) }
        let feeds: [any Feed] = [
            BasicFeed(at: Self.url, request: basic.request),
            V1Feed(at: "https://a/apod", request: v1.request),
        ]
        for feed in feeds {
            let pages = try await feed.allPages(over: range)

            #expect(pages.flatMap(\.entries).map(\.day.day) == [4, 3, 1])
            #expect(pages.flatMap(\.rejections).map { $0.reason.contains(date) } == [true])
            #expect(pages.flatMap(\.covered).sorted() == Array(range))
        }
    }

    // MARK: The posts that settle the day of an entry, or name its picture

    private static let origin = "https://science.nasa.gov/wp-json/wp/v2"
    private static let dam = "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod"
    private static let placeholder =
        "https://assets.science.nasa.gov/dynamicimage/assets/science/astro/programs/cosmic-origins/images/misc/news-thumbnail.png"

    /// An element with a post, whose page has the date under which it is listed, as on NASA's site.
    private static func element(
        _ date: Day, _ post: Int, _ fields: [String: String] = [:]
    ) -> String {
        let month = Day.months[date.month - 1]
        let page = "<h1>APOD</h1><p>\(date.year) \(month) \(date.day)<br>"
        let picture = "\(dam)/\(date.year)/\(month)/\(post).jpg"
        let element = basicElement(
            "\(date)", ["basic_html": page, "hdurl": picture].merging(fields) { $1 })
        return "{\"post_id\":\(post)," + element.dropFirst()
    }

    private static func article(_ post: Int, from page: String, picture: String = "") -> String {
        """
        {"id":\(post),"date":"2007-07-16T00:05:00","type":"image-article","categories":[22766],
        "migration_source_url":"\(page)","content":{"rendered":"nasa-plus-5f2a"},
        "featured_image":{"file":"\(picture)","caption":""}}
        """
    }

    /// Serves 2007-07-16 twice and 2007-07-13 not at all; `articles` are the posts by their numbers.
    private func server(withPosts articles: [Int: String]) -> CannedServer {
        let days = (-12...12).reversed().map { Self.doubled.advanced(by: $0) }
        let elements = days.filter { $0 != Self.missing }.flatMap {
            day -> [(day: Day, text: String)] in
            let double = Self.element(day, 1, ["title": "Manhattanhenge"])
            let single = (day: day, text: Self.element(day, day.number))
            return day == Self.doubled ? [(day: day, text: double), single] : [single]
        }
        return CannedServer { address throws(TransferError) in
            let path = address.split(separator: "?")[0]
            if path.contains("/image-article/") {
                guard let post = Int(path.split(separator: "/").last ?? ""),
                    let text = articles[post]
                else { throw .refused(address, 404, "{}") }
                return .text(text)
            }
            if let day = path.split(separator: "/").last.flatMap({ Day(compact: $0) }) {
                guard day != Self.missing else {
                    throw .refused(address, 404, #"{"code":"apod_basic_not_found","message":""}"#)
                }
                return .text(Self.element(day, day.number))
            }
            return .page(of: elements, at: address)
        }
    }

    private func posts() -> [Int: String] {
        let apod = "https://apod.nasa.gov/apod"
        return [
            1: Self.article(1, from: "\(apod)/ap070713.html"),
            Self.doubled.number: Self.article(Self.doubled.number, from: "\(apod)/ap070716.html"),
        ]
    }

    @Test func theDaysOfDoubledEntriesAreThoseOfTheirPosts() async throws {
        let server = server(withPosts: posts())
        let range = Self.doubled.advanced(by: -12)...Self.doubled.advanced(by: 11)

        let pages = try await server.basic.allPages(over: range)

        let entries = pages.flatMap(\.entries)
        #expect(entries.map(\.day) == range.reversed())
        #expect(entries.filter { $0.title == "Manhattanhenge" }.map(\.day) == [Self.missing])
        #expect(pages.flatMap(\.rejections) == [])
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
        let requests = await server.requested
        #expect(requests.count == 3 && requests.count { $0.contains("image-article") } == 2)
    }

    @Test func aMissingDayIsFoundUnderADayNearIt() async throws {
        let entry = try await server(withPosts: posts()).basic.entry(of: Self.missing)
        #expect(entry.title == "Manhattanhenge")
        await #expect(throws: FeedError.notPublished(Self.missing)) {
            try await server(withPosts: [:]).basic.entry(of: Self.missing)
        }
    }

    @Test(arguments: [
        (
            "\(dam)/2007/july/real.jpg",
            ["july", "august", "june"].map { "\(dam)/2007/\($0)/real.jpg" }
        ),
        (placeholder, []), ("", []),
    ])
    func thePostOfAnEntryNamesItsLostPicture(file: String, expected: [String]) async throws {
        let lost = Self.element(Self.doubled, 7, ["hdurl": Self.placeholder])
        let article = Self.article(7, from: "", picture: file)
        let server = CannedServer { address in
            address.contains("image-article") ? .text(article) : .text("[\(lost)]")
        }

        let entry = try #require(try await server.basic.newest().entries.first)

        #expect(entry.media.pictures.map(\.url) == expected)
        #expect(await server.requested.last == "\(Self.origin)/image-article/7")
    }

    @Test(arguments: [
        "", "<html>", "[]", "{}", "null",
        #"{"id":2,"migration_source_url":"https://apod.nasa.gov/apod/ap070713.html"}"#,
        #"{"id":1,"migration_source_url":"https://example.org/apod/ap070713.html"}"#,
        #"{"id":1,"migration_source_url":false,"featured_image":false}"#,
        #"{"id":1,"migration_source_url":["ap070713.html"],"featured_image":{"file":7}}"#,
        #"{"id":1,"migration_source_url":"https://apod.nasa.gov/apod/ap079913.html"}"#,
    ])
    func aPostThatSaysNothingChangesNothing(body: String) async throws {
        let range = Self.doubled.advanced(by: -12)...Self.doubled.advanced(by: 12)
        let without = try await server(withPosts: [:]).basic.allPages(over: range)

        let pages = try await server(withPosts: [1: body]).basic.allPages(over: range)

        #expect(pages == without)
    }

    @Test func atMostFivePostsAreRequestedForOneList() async throws {
        let days = (0..<25).map { Self.doubled.advanced(by: -$0) }
        let server = CannedServer { _ in
            .page(days.map { Self.element($0, $0.number, ["hdurl": Self.placeholder]) })
        }

        #expect(try await server.basic.newest().entries.count == 25)
        #expect(await server.requested.count == 6)
    }
}
