import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(1))) struct BasicFeedTests {
    private static let address = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"
    private static let notFound = #"{"code":"apod_basic_not_found","message":"APOD not found."}"#
    private static let pastTheEnd =
        #"{"code":"rest_post_invalid_page_number","message":"Too far."}"#

    /// Serves `days`, newest first, the way NASA does.
    private static func archive(
        _ days: [Day], headers: Bool = true, page pages: Int = 25,
        pastTheEnd: CannedServer.Body? = nil
    ) -> CannedServer {
        CannedServer { address throws(TransferError) in
            let from = field("date_from", of: address).flatMap { Day(compact: $0) } ?? Day.first
            let to = field("date_to", of: address).flatMap { Day(compact: $0) } ?? Day.last
            let page = field("page", of: address).flatMap { Int($0) } ?? 1
            let found = days.filter { (from...to).contains($0) }.sorted(by: >)
            let count = (found.count + pages - 1) / pages
            if page > max(count, 1), let pastTheEnd { return try pastTheEnd(address) }
            return .page(
                found.dropFirst((page - 1) * pages).prefix(pages).map { basicElement("\($0)") },
                of: headers ? count : nil, total: headers ? found.count : nil)
        }
    }

    private func listings(
        _ server: CannedServer, _ first: String, _ last: String
    ) async throws -> [Listing] {
        let feed = BasicFeed(address: Self.address, request: server.request)
        var listings: [Listing] = []
        for try await listing in feed.listings(in: try day(first)...day(last)) {
            listings.append(listing)
        }
        return listings
    }

    private func range(_ first: String, _ last: String) throws -> ClosedRange<Day> {
        try day(first)...day(last)
    }

    @Test(arguments: [
        ("http://127.0.0.1:80", "http://127.0.0.1:80/wp-json/wp/v2/apod-basic?per_page=25&page=1"),
        ("https://a/apod-basic/", "https://a/apod-basic?per_page=25&page=1"),
        ("https://a?lang=en", "https://a/wp-json/wp/v2/apod-basic?lang=en&per_page=25&page=1"),
    ])
    func asksWhereTheUserSays(address: String, asked: String) async throws {
        let server = CannedServer { _ in .page([basicElement("2026-10-02")]) }

        _ = try await BasicFeed(address: address, request: server.request).newest()

        #expect(await server.asked == [asked])
    }

    @Test func theNewestVouchForTheirDays() async throws {
        let server = CannedServer { _ in
            .page([basicElement("2026-10-02"), "{}", basicElement("2026-09-29")])
        }

        let listing = try await BasicFeed(address: Self.address, request: server.request).newest()

        #expect(listing.entries.map(\.day.description) == ["2026-10-02", "2026-09-29"])
        #expect(listing.rejections.count == 1)
        #expect(listing.covered == (try range("2026-09-29", "2026-10-02")))
    }

    @Test func theNewestOutOfOrderVouchForNothingBetween() async throws {
        let server = CannedServer { _ in
            .page(["2026-10-02", "1995-06-16", "2026-09-30"].map { basicElement($0) })
        }

        let listing = try await BasicFeed(address: Self.address, request: server.request).newest()

        #expect(listing.entries.map(\.day.year) == [2026, 2026, 1995])
        #expect(listing.covered == (try range("2026-10-02", "2026-10-02")))
    }

    @Test(arguments: ["[]", "[{}]", basicElement("2026-10-02", ["title": "NASA Science"])])
    func theNewestOfNothingIsUnusable(body: String) async {
        let server = CannedServer { _ in .text(body) }
        let feed = BasicFeed(address: Self.address, request: server.request)

        await #expect { try await feed.newest() } throws: { error in
            guard case .unusable(let reason)? = error as? FeedError else { return false }
            return reason.hasPrefix("\(Self.address)?per_page=25&page=1 answered no entry: ")
        }
    }

    @Test func asksForOneDay() async throws {
        let server = CannedServer { _ in .text(basicElement("2026-10-02")) }
        let feed = BasicFeed(address: Self.address + "?lang=en", request: server.request)

        let entry = try await feed.entry(of: day("2026-10-02"))

        #expect(entry.day == (try day("2026-10-02")))
        #expect(await server.asked == [Self.address + "/261002?lang=en"])
    }

    @Test(arguments: [
        (basicElement("2026-09-13"), "answered 2026-09-13 when asked for 2026-10-02"),
        ("[]", "answered an empty list when asked for 2026-10-02"),
        ("[\(basicElement("2026-10-05"))]", "answered 2026-10-05 when asked for 2026-10-02"),
        (
            basicElement("2026-10-02", ["title": "NASA Science"]),
            "answered no entry: this is NASA's stand-in"
        ),
        ("<html>", "answered HTML in place of JSON"),
        (#"{"code":"x","message":"Broken."}"#, "answered the error x: Broken."),
    ])
    func takesNoOtherAnswerForADay(body: String, sentence: String) async throws {
        let server = CannedServer { _ in .text(body) }
        let feed = BasicFeed(address: Self.address, request: server.request)

        await #expect { try await feed.entry(of: day("2026-10-02")) } throws: { error in
            "\(error)".hasPrefix("\(Self.address)/261002 \(sentence)")
        }
    }

    @Test func aDayThatIsNotThereIsNoFailure() async throws {
        let server = CannedServer.refusing(404, Self.notFound)
        let feed = BasicFeed(address: Self.address, request: server.request)

        await #expect(throws: FeedError.notPublished(try day("2026-10-02"))) {
            try await feed.entry(of: day("2026-10-02"))
        }
    }

    @Test(arguments: [
        (404, #"{"code":"rest_no_route","message":"No route."}"#), (404, "<html>"), (503, "later"),
        (404, ""), (403, notFound),
    ])
    func otherRefusalsAreNoAbsence(status: Int, body: String) async throws {
        let server = CannedServer.refusing(status, body)
        let feed = BasicFeed(address: Self.address, request: server.request)

        await #expect { try await feed.entry(of: day("2026-10-02")) } throws: { error in
            guard case .notPublished? = error as? FeedError else { return error is FeedError }
            return false
        }
    }

    @Test(arguments: [true, false])
    func pagesVouchForEachDayOfTheRangeOnce(headers: Bool) async throws {
        let all = Array(try range("2026-07-01", "2026-09-28"))
        let absent = try Set(["2026-07-01", "2026-08-15", "2026-09-28"].map(day))
        let server = Self.archive(all.filter { !absent.contains($0) }, headers: headers)

        let listings = try await listings(server, "2026-07-01", "2026-09-28")

        #expect(listings.flatMap(\.covered).sorted() == all)
        #expect(
            listings.flatMap(\.entries).map(\.day) == all.reversed().filter { !absent.contains($0) }
        )
        for listing in listings {
            #expect(listing.entries.allSatisfy { listing.covered.contains($0.day) })
        }
        #expect(await server.asked.count == (headers ? 4 : 5))
        #expect(
            await server.asked.first
                == Self.address + "?date_from=260701&date_to=260928&per_page=25&page=1")
    }

    @Test func aRefusedPageIsTheEndToo() async throws {
        let all = Array(try range("2026-07-02", "2026-08-20"))
        let server = Self.archive(all, headers: false) { address throws(TransferError) in
            throw .refused(address, 400, Self.pastTheEnd)
        }

        let listings = try await listings(server, "2026-07-01", "2026-08-20")

        #expect(listings.count == 3)
        #expect(
            listings.last == Listing(entries: [], covered: try range("2026-07-01", "2026-07-01")))
    }

    @Test func asksForAPageOnlyWhenItIsWanted() async throws {
        let server = Self.archive(Array(try range("2026-07-01", "2026-09-28")))
        let feed = BasicFeed(address: Self.address, request: server.request)
        var listings = feed.listings(in: try range("2026-07-01", "2026-09-28")).makeAsyncIterator()
        #expect(await server.asked.isEmpty)

        _ = try await listings.next()

        #expect(await server.asked.count == 1)
    }

    @Test func anAnswerWithOtherDaysVouchesForNothing() async throws {
        let server = CannedServer { _ in
            .page([basicElement("2026-10-02"), basicElement("2026-10-01")], of: 1, total: 2)
        }

        await #expect { try await listings(server, "2026-07-01", "2026-09-28") } throws: { error in
            "\(error)".contains("answered 2026-10-02 when asked for 2026-07-01 to 2026-09-28")
        }
    }

    @Test func anEmptyRangeVouchesOnlyWithItsTotal() async throws {
        let sure = CannedServer { _ in .page([], of: 0, total: 0) }
        let vague = CannedServer { _ in .page([]) }
        let wrong = CannedServer { _ in .page([], of: 1, total: 3) }

        #expect(
            try await listings(sure, "1995-06-17", "1995-06-19")
                == [Listing(entries: [], covered: try range("1995-06-17", "1995-06-19"))])
        for server in [vague, wrong] {
            await #expect(throws: FeedError.self) {
                try await listings(server, "1995-06-17", "1995-06-19")
            }
        }
    }

    @Test func aServerThatRepeatsItselfIsLeft() async throws {
        let server = CannedServer { _ in .page([basicElement("2026-07-02")]) }

        await #expect { try await listings(server, "2026-07-01", "2026-07-03") } throws: { error in
            "\(error)".contains("it repeats earlier pages")
        }
        #expect(await server.asked.count == 2)
    }

    @Test func whatCameBeforeAFailureCounts() async throws {
        let all = try range("2026-07-01", "2026-08-20")
        let archive = Self.archive(Array(all))
        let feed = BasicFeed(address: Self.address) { address async throws(TransferError) in
            guard field("page", of: address) == "1" else {
                throw .unreachable(address: address, reason: "no route")
            }
            return try await archive.request(address)
        }
        var listings = feed.listings(in: all).makeAsyncIterator()

        #expect(try await listings.next()?.entries.count == 25)
        await #expect { try await listings.next() } throws: { error in
            guard case .transfer(.unreachable)? = error as? FeedError else { return false }
            return true
        }
    }

    @Test func aDayPublishedMeanwhileIsNotListedTwice() async throws {
        let days = Array(try range("2026-07-01", "2026-07-06").reversed())
        let server = CannedServer { address in
            let found = field("page", of: address) == "1" ? days[1...2] : days[2...5]
            return .page(found.map { basicElement("\($0)") }, of: 2)
        }

        let listings = try await listings(server, "2026-07-01", "2026-07-06")

        #expect(listings.map { $0.entries.map(\.day.day) } == [[5, 4], [3, 2, 1]])
        #expect(listings.map(\.covered.count) == [3, 3])
    }

    @Test func pagesOutOfOrderVouchForNothingBetween() async throws {
        let server = CannedServer { address in
            let days = field("page", of: address) == "1" ? ["01", "02"] : ["05", "06"]
            return .page(days.map { basicElement("2026-07-\($0)") }, of: 2)
        }

        let listings = try await listings(server, "2026-07-01", "2026-07-06")

        #expect(listings.flatMap(\.entries).map(\.day.day) == [2, 1, 6, 5])
        #expect(listings.flatMap(\.covered).map(\.day) == [2, 6])
    }

    @Test func aPageNewerThanTheOneBeforeVouchesForNothingBetween() async throws {
        let server = CannedServer { address in
            let days = field("page", of: address) == "1" ? ["03", "02"] : ["05", "04"]
            return .page(days.map { basicElement("2026-07-\($0)") }, of: 2)
        }

        let listings = try await listings(server, "2026-07-01", "2026-07-06")

        #expect(listings.last?.covered == (try range("2026-07-05", "2026-07-05")))
    }

    @Test func anAddressThatIsNoneIsNamed() async {
        let server = CannedServer { _ in .text("") }
        let feed = BasicFeed(address: "ftp://a", request: server.request)

        await #expect(throws: FeedError.unusable("\"ftp://a\" is no web address")) {
            try await feed.newest()
        }
    }
}
