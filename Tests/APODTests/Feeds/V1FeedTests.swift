import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(10))) struct V1FeedTests {
    private static let url: WebURL = "https://api.example.org/planetary/apod"
    private static let address = url.text

    /// Serves all days until `newest` like a v1 server, with an internal error for ranges with `bad` days.
    private static func archive(until newest: Day, bad: Set<Day> = []) -> CannedServer {
        CannedServer { address throws(TransferError) in
            let single = field("date", of: address).flatMap { Day(iso: $0) }
            let start =
                single ?? field("start_date", of: address).flatMap { Day(iso: $0) } ?? newest
            let end = single ?? field("end_date", of: address).flatMap { Day(iso: $0) } ?? newest
            guard end <= newest else {
                let date = "Oct 0\(newest.day), \(newest.year)"
                let text = "Date must be between Jun 16, 1995 and \(date)."
                throw .refused(address, 400, #"{"code":400,"msg":"\#(text)"}"#)
            }
            if !bad.isDisjoint(with: start...end) {
                throw .refused(address, 500, #"{"code":500,"msg":"Internal Service Error"}"#)
            }
            if let single { return .text(v1Element("\(single)")) }
            return .text("[\((start...end).map { v1Element("\($0)") }.joined(separator: ","))]")
        }
    }

    private func pages(
        _ server: CannedServer, _ days: ClosedRange<Day>
    ) async throws -> [FeedPage] {
        try await server.v1.allPages(over: days)
    }

    @Test func theNewestIsRequestedWithoutADateAndADayWithIt() async throws {
        let server = Self.archive(until: try day("2026-10-05"))
        let feed = V1Feed(
            at: "https://api.example.org/?api_key=a%20key", request: server.request)

        #expect(try await feed.newestPage().covered == day("2026-10-05")...day("2026-10-05"))
        #expect(try await server.v1.entry(of: day("2018-03-01")).day == day("2018-03-01"))
        #expect(
            await server.requested == [
                Self.address + "?api_key=a%20key&thumbs=True",
                Self.address + "?date=2018-03-01&thumbs=True",
            ])
    }

    @Test(arguments: [
        (404, #"{"code":404,"msg":"No data available for date: 2026-10-06"}"#, true),
        (400, #"{"code":400,"msg":"Date must be between Jun 16, 1995 and Oct 05, 2026."}"#, true),
        (400, #"{"code":400,"msg":"Date must be between Jun 16, 1995 and Oct 07, 2026."}"#, false),
        (400, #"{"code":400,"msg":"Bad Request: incorrect field passed."}"#, false),
        (404, "<html>", false), (403, #"{"error":{"code":"API_KEY_MISSING"}}"#, false),
        (500, "No data available", false),
    ])
    func onlyAnUnpublishedDayIsNoFailure(
        status: Int, body: String, isUnpublished: Bool
    ) async throws {
        let server = CannedServer.refusing(status, body)

        let error = await #expect(throws: FeedError.self) {
            try await server.v1.entry(of: day("2026-10-06"))
        }

        let isRefusal = if case .transfer(.refused(_, status, _))? = error { true } else { false }
        #expect(isRefusal != isUnpublished)
        #expect(try (error == .notPublished(day("2026-10-06"))) == isUnpublished)
    }

    @Test func aRangeIsRequestedInChunksNewestFirst() async throws {
        let days = try day("2026-06-01")...day("2026-10-05")
        let server = Self.archive(until: days.upperBound)

        let pages = try await pages(server, days)

        #expect(pages.map(\.covered.count) == [60, 60, 7])
        #expect(pages.flatMap(\.entries).map(\.day) == days.reversed())
        #expect(
            await server.requested.first
                == Self.address + "?start_date=2026-08-07&end_date=2026-10-05&thumbs=True")
    }

    /// One bad day, or one after the newest: then the days are requested one by one.
    @Test(arguments: ["2026-09-17", "2026-10-06"])
    func aRefusedListIsAFailure(end: String) async throws {
        let newest = try day("2026-10-05")
        let server = Self.archive(until: newest, bad: [try day("2026-09-17")])
        let days = try day("2026-09-01")...day(end)

        await #expect { try await pages(server, days) } throws: { error in
            guard case .transfer(.refused)? = error as? FeedError else { return false }
            return true
        }
        #expect(await server.requested.count == 1)
    }

    @Test func anEmptyListIsUnusable() async throws {
        let server = CannedServer { _ in .text("[]") }

        await #expect(throws: FeedError.self) {
            _ = try await pages(server, day("1995-06-17")...day("1995-06-19"))
        }
    }

    /// The logo, also under the title and the text of the real entry.
    @Test(arguments: ["NASA Science", "A Title"])
    func theLogoIsNoEntry(title: String) async throws {
        let logo =
            "https://science.nasa.gov/wp-content/themes/nasa-child/assets/images/nasa-logo@2x.png"
        let server = CannedServer { _ in
            .text(v1Element("2023-01-01", ["title": title, "url": logo, "hdurl": logo]))
        }

        await #expect { try await server.v1.newestPage() } throws: { error in
            "\(error)".contains("NASA's placeholder")
        }
    }
}
