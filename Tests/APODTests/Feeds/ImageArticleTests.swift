import APOD
import Testing
import Transfer

/// The posts that settle the day of an entry, or name its picture.
@Suite(.timeLimit(.minutes(10))) struct ImageArticleTests {
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

    private let doubled = Day(iso: "2007-07-16") ?? .first
    private let missing = Day(iso: "2007-07-13") ?? .first

    /// Serves 2007-07-16 twice and 2007-07-13 not at all; `articles` are the posts by their numbers.
    private func server(_ articles: [Int: String]) -> CannedServer {
        let (doubled, missing) = (self.doubled, self.missing)
        let days = (-12...12).reversed().map { doubled.advanced(by: $0) }
        let elements = days.filter { $0 != missing }.flatMap { day -> [(day: Day, text: String)] in
            let double = Self.element(day, 1, ["title": "Manhattanhenge"])
            let single = (day: day, text: Self.element(day, day.number))
            return day == doubled ? [(day: day, text: double), single] : [single]
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
                guard day != missing else {
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
            doubled.number: Self.article(doubled.number, from: "\(apod)/ap070716.html"),
        ]
    }

    @Test func theDaysOfDoubledEntriesAreThoseOfTheirPosts() async throws {
        let server = server(posts())
        let range = doubled.advanced(by: -12)...doubled.advanced(by: 11)

        let pages = try await server.basic.allPages(over: range)

        let entries = pages.flatMap(\.entries)
        #expect(entries.map(\.day) == range.reversed())
        #expect(entries.filter { $0.title == "Manhattanhenge" }.map(\.day) == [missing])
        #expect(pages.flatMap(\.rejections) == [])
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
        let requests = await server.requested
        #expect(requests.count == 3 && requests.count { $0.contains("image-article") } == 2)
    }

    @Test func aMissingDayIsFoundUnderADayNearIt() async throws {
        let entry = try await server(posts()).basic.entry(of: missing)
        #expect(entry.title == "Manhattanhenge")
        await #expect(throws: FeedError.notPublished(missing)) {
            try await server([:]).basic.entry(of: missing)
        }
    }

    @Test(arguments: [
        (
            "\(dam)/2007/july/real.jpg",
            ["\(dam)/2007/july/real.jpg", "\(dam)/2007/august/real.jpg"]
        ),
        (placeholder, []), ("", []),
    ])
    func theirPostNamesALostPicture(file: String, expected: [String]) async throws {
        let lost = Self.element(doubled, 7, ["hdurl": Self.placeholder])
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
        let range = doubled.advanced(by: -12)...doubled.advanced(by: 12)
        let without = try await server([:]).basic.allPages(over: range)

        let pages = try await server([1: body]).basic.allPages(over: range)

        #expect(pages == without)
    }

    @Test func atMostFivePostsAreRequestedForOneList() async throws {
        let days = (0..<25).map { doubled.advanced(by: -$0) }
        let server = CannedServer { _ in
            .page(days.map { Self.element($0, $0.number, ["hdurl": Self.placeholder]) })
        }

        #expect(try await server.basic.newest().entries.count == 25)
        #expect(await server.requested.count == 6)
    }
}
