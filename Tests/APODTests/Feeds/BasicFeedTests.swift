import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(10))) struct BasicFeedTests {
    private static let url: WebURL = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"
    private static let address = url.text
    private static let notFound = #"{"code":"apod_basic_not_found","message":"APOD not found."}"#

    /// Serves `days` like NASA.
    private static func archive(_ days: [Day], hasTotals: Bool = true) -> CannedServer {
        let elements = days.sorted(by: >).map { (day: $0, text: basicElement("\($0)")) }
        return CannedServer { .page(of: elements, at: $0, hasTotals: hasTotals) }
    }

    private func pages(
        _ server: CannedServer, _ first: String, _ last: String
    ) async throws -> [FeedPage] {
        try await server.basic.allPages(over: day(first)...day(last))
    }

    private func range(_ first: String, _ last: String) throws -> ClosedRange<Day> {
        try day(first)...day(last)
    }

    @Test(arguments: [
        ("http://127.0.0.1:80", "http://127.0.0.1/wp-json/wp/v2/apod-basic?per_page=25&page=1"),
        ("https://a/apod-basic/", "https://a/apod-basic?per_page=25&page=1"),
        ("https://a?lang=en", "https://a/wp-json/wp/v2/apod-basic?lang=en&per_page=25&page=1"),
    ])
    func theAddressMayLackThePath(address: String, expected: String) async throws {
        let server = CannedServer { _ in .page([basicElement("2026-10-02")]) }

        _ = try await BasicFeed(at: try WebURL(address), request: server.request).newestPage()

        #expect(await server.requested == [expected])
    }

    /// Out of order, it covers one day.
    @Test(arguments: [
        (["2026-10-02", nil, "2026-09-29"], "2026-09-29"),
        (["2026-10-02", "1995-06-16", "2026-09-30"], "2026-10-02"),
    ])
    func theNewestPageCoversItsDays(dates: [String?], oldest: String) async throws {
        let server = CannedServer { _ in .page(dates.map { $0.map { basicElement($0) } ?? "{}" }) }

        let page = try await server.basic.newestPage()

        #expect(
            page.entries.map(\.day.description) == dates.compactMap(\.self).sorted().reversed())
        #expect(page.rejections.count == dates.count { $0 == nil })
        #expect(page.covered == (try range(oldest, "2026-10-02")))
    }

    @Test(arguments: ["[]", "[{}]", basicElement("2026-10-02", ["title": "NASA Science"])])
    func aNewestPageWithoutEntriesIsUnusable(body: String) async {
        let server = CannedServer { _ in .text(body) }

        await #expect { try await server.basic.newestPage() } throws: { error in
            guard case .unusable(let reason)? = error as? FeedError else { return false }
            return reason.hasPrefix("\(Self.address) returned no valid entry: ")
        }
    }

    @Test func oneDayIsRequested() async throws {
        let server = CannedServer { _ in .text(basicElement("2026-10-02")) }
        let feed = BasicFeed(
            at: "https://science.nasa.gov/wp-json/wp/v2/apod-basic?lang=en", request: server.request
        )

        let entry = try await feed.entry(of: day("2026-10-02"))

        #expect(entry.day == (try day("2026-10-02")))
        #expect(await server.requested == [Self.address + "/261002?lang=en"])
    }

    @Test(arguments: [
        (basicElement("2026-09-13"), "2026-09-13"),
        ("[]", "empty list"),
        ("[\(basicElement("2026-10-05"))]", "2026-10-05"),
        (
            basicElement("2026-10-02", ["title": "NASA Science"]),
            "placeholder"
        ),
        ("<html>", "HTML"),
        (#"{"code":"x","message":"Broken."}"#, "x: Broken."),
    ])
    func anotherResponseForADayIsUnusable(body: String, word: String) async throws {
        let server = CannedServer { _ in .text(body) }

        await #expect { try await server.basic.entry(of: day("2026-10-02")) } throws: { error in
            "\(error)".hasPrefix("\(Self.address)/261002 ") && "\(error)".contains(word)
        }
    }

    /// An error of access does not say that NASA has none.
    @Test(arguments: [
        (404, notFound, true), (403, notFound, false), (404, "<html>", false), (404, "", false),
        (404, #"{"code":"rest_no_route","message":"No route."}"#, false), (503, "later", false),
    ])
    func aDayIsUnpublishedIfNASASaysSo(
        status: Int, body: String, isUnpublished: Bool
    ) async throws {
        let server = CannedServer.refusing(status, body)

        let error = await #expect(throws: FeedError.self) {
            try await server.basic.entry(of: day("2026-10-02"))
        }

        #expect(try (error == .notPublished(day("2026-10-02"))) == isUnpublished)
        #expect(await server.requested.count == 1)
    }

    /// The oldest day is published: else only the totals say that there is none before the last list.
    @Test(arguments: [true, false])
    func thePagesCoverEachDayOnce(hasTotals: Bool) async throws {
        let all = Array(try range("2026-07-01", "2026-09-28"))
        let absent = try Set(
            ((hasTotals ? ["2026-07-01"] : []) + ["2026-08-15", "2026-09-28"]).map(day))
        let server = Self.archive(all.filter { !absent.contains($0) }, hasTotals: hasTotals)

        let pages = try await pages(server, "2026-07-01", "2026-09-28")

        #expect(pages.flatMap(\.covered).sorted() == all)
        #expect(
            pages.flatMap(\.entries).map(\.day) == all.reversed().filter { !absent.contains($0) }
        )
        for page in pages {
            #expect(page.entries.allSatisfy { page.covered.contains($0.day) })
        }
        #expect(await server.requested.count == 4)
        #expect(
            await Array(server.requested.prefix(2))
                == ["260928", "260902"].map {
                    Self.address + "?date_from=260701&date_to=\($0)&per_page=25&page=1"
                })
    }

    @Test func aPageOfOtherDaysIsUnusable() async throws {
        let server = CannedServer { _ in
            .page([basicElement("2026-10-02"), basicElement("2026-10-01")], of: 1, total: 2)
        }

        await #expect { try await pages(server, "2026-07-01", "2026-09-28") } throws: { error in
            "\(error)".contains("2026-10-02") && "\(error)".contains("2026-07-01")
        }
    }

    @Test func anEmptyPageCoversTheRangeOnlyIfItsTotalIsZero() async throws {
        let sure = CannedServer { _ in .page([], of: 0, total: 0) }
        let vague = CannedServer { _ in .page([]) }
        let wrong = CannedServer { _ in .page([], of: 1, total: 3) }

        #expect(
            try await pages(sure, "1995-06-17", "1995-06-19")
                == [FeedPage(entries: [], covered: try range("1995-06-17", "1995-06-19"))])
        for server in [vague, wrong] {
            await #expect(throws: FeedError.self) {
                try await pages(server, "1995-06-17", "1995-06-19")
            }
        }
    }

    @Test func aServerThatIgnoresDatesIsUnusable() async throws {
        let newest = try day("2026-09-28")
        let server = CannedServer { _ in
            .page((0..<25).map { basicElement("\(newest.advanced(by: -$0))") })
        }

        await #expect { try await pages(server, "2026-07-01", "2026-09-28") } throws: { error in
            "\(error)".contains("dated 2026-09-28, outside of 2026-07-01 to 2026-09-03")
        }
        #expect(await server.requested.count == 2)
    }

    /// Its days are requested in another way.
    @Test func aPageOutOfOrderIsUnusable() async throws {
        let server = CannedServer { _ in
            .page(["01", "02"].map { basicElement("2026-07-\($0)") }, of: 2)
        }

        await #expect { try await pages(server, "2026-07-01", "2026-07-06") } throws: { error in
            "\(error)".contains("not in order")
        }
    }
}
