import APOD
import TestSupport
import Testing
import Transfer

/// Lists that are made to use up memory, time or patience.
@Suite(.timeLimit(.minutes(1))) struct HostileListTests {
    private static let address = "https://science.nasa.gov/apod-basic"

    private func basic(_ body: String) -> BasicFeed {
        let server = CannedServer { _ in .text(body) }
        return BasicFeed(address: Self.address, request: server.request)
    }

    private static func copies(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// A list of two sound entries with `element` between them.
    private func between(_ element: String) -> String {
        "[\(basicElement("2026-10-03")),\(element),\(basicElement("2026-10-01"))]"
    }

    @Test(arguments: [
        copies("0,", 200_000), copies("{},", 200_000), copies("[[],{}],", 100_000),
        copies("\"\",", 200_000), copies("1e999999,", 100_000), copies("null,", 200_000),
    ])
    func aListOfNothingIsRefused(elements: String) async {
        await #expect(throws: FeedError.self) { try await basic("[\(elements)0]").newest() }
    }

    @Test func moreThanAPageIsCut() async throws {
        let days = (0..<60).map { day in basicElement("\((try? self.newest(day)) ?? .first)") }
        let listing = try await basic("[\(days.joined(separator: ","))]").newest()

        #expect(listing.entries.count == 25)
        #expect(listing.covered.count == 25)
    }

    private func newest(_ age: Int) throws -> Day { try day("2026-10-02").advanced(by: -age) }

    /// Pages longer than a page is: none of their days is passed by.
    @Test func aServerWithLongerPagesIsWalkedToItsEnd() async throws {
        let all = Array(try day("2026-03-01")...day("2026-09-28"))
        let server = CannedServer { address in
            let from = field("date_from", of: address).flatMap { Day(compact: $0) } ?? .first
            let to = field("date_to", of: address).flatMap { Day(compact: $0) } ?? .last
            let page = field("page", of: address).flatMap { Int($0) } ?? 1
            let found = all.filter { (from...to).contains($0) }.reversed()
            return .page(
                found.dropFirst((page - 1) * 100).prefix(100).map { basicElement("\($0)") },
                of: (found.count + 99) / 100, total: found.count)
        }
        let feed = BasicFeed(address: Self.address, request: server.request)

        var listings: [Listing] = []
        for try await listing in feed.listings(in: all[0]...all[all.count - 1]) {
            listings.append(listing)
        }

        #expect(listings.flatMap(\.entries).map(\.day) == all.reversed())
        #expect(listings.flatMap(\.covered).sorted() == all)
        #expect(await server.asked.count <= all.count / 25 + 1)
    }

    @Test(arguments: [
        ("title", copies("x", 5_000)), ("alt", copies("é", 2_100)), ("hdurl", copies("/a", 2_100)),
        ("explanation", copies("<br>", 70_000)), ("explanation", copies("<br>", 20_000)),
        ("basic_html", copies("x", 300_000)), ("basic_html", copies("<p>", 20_000)),
        ("credit", copies("<i>x</i>", 9_000)),
    ])
    func anOversizedElementCostsItselfOnly(field: String, value: String) async throws {
        let listing = try await basic(between(basicElement("2026-10-02", [field: value]))).newest()

        #expect(listing.entries.map(\.day.day) == [3, 1])
        #expect(listing.rejections.map(\.day) == [try day("2026-10-02")])
        #expect(listing.rejections.first?.reason.contains(field) == true)
        #expect(listing.covered.count == 3)
    }

    @Test(arguments: [
        copies("[", 100_000) + copies("]", 100_000),
        copies("{\"a\":", 50_000) + "0" + copies("}", 50_000),
        "{\"date\":\"99999-01-01\"}", "{\"date\":\"2026-00-10\"}", "{\"date\":\"-026-10-02\"}",
        "{\"date\":\"9223372036854775808-01-01\"}", "{\"date\":1e999999}", "NaN",
        "{\"date\":\"2026-10-02\" \"title\":\"x\"}",
    ])
    func aMalformedElementCostsItselfOnly(element: String) async throws {
        let listing = try await basic(between(element)).newest()

        #expect(listing.entries.map(\.day.day) == [3, 1])
        #expect(listing.rejections.count == 1)
    }

    @Test func whatIsUnknownCostsNothing() async throws {
        let key = Self.copies("k", 50_000)
        let deep = Self.copies("[", 5_000) + Self.copies("]", 5_000)
        let element =
            "{\"\(key)\":1,\"x\":\(deep),\"x\":1e999999,\"date\":\"1999-01-01\","
            + basicElement("2026-10-02", ["title": "Whole"]).dropFirst()

        let entry = try #require(try await basic("[\(element)]").newest().entries.first)

        #expect(entry.day == (try day("2026-10-02")))
        #expect(entry.title == "Whole")
    }

    /// Each attribute of a tag was compared with all before it.
    @Test func thousandsOfAttributesTakeNoTime() async throws {
        let attributes = (0..<12_000).map { "a\($0)=1" }.joined(separator: " ")
        let page = "<img \(attributes) SRC='/cds/apod/a.jpg'><img \" \(attributes)"
        let element = basicElement("2026-10-02", ["basic_html": page])
        let start = ContinuousClock.now

        let entry = try #require(try await basic("[\(element)]").newest().entries.first)

        #expect(entry.media.pictures.map(\.url) == ["https://science.nasa.gov/cds/apod/a.jpg"])
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func aCancelledTaskReadsNoMore() async throws {
        let elements = (0..<25).map { age in
            basicElement(
                "\((try? newest(age)) ?? .first)", ["explanation": Self.copies("<b>x</b>", 4_000)])
        }
        let feed = basic("[\(elements.joined(separator: ","))]")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await feed.newestResult()
        }

        #expect(await task.value == .failure(.transfer(.cancelled)))
    }

    @Test func aV1RangeMayHaveFourHundred() async throws {
        let server = CannedServer { _ in
            .page((0..<401).map { _ in v1Element("2026-10-02") })
        }
        let feed = V1Feed(address: "https://a/apod", apiKey: nil, request: server.request)

        await #expect(throws: FeedError.self) {
            for try await _ in feed.listings(in: try day("2026-10-01")...day("2026-10-02")) {}
        }
    }

    /// Whatever comes is answered within bounds, and each entry is of a day and has a title.
    @Test(arguments: 1...6) func mutatedListsAreReadOrRefused(seed: UInt64) async throws {
        let samples = [
            between(basicElement("2026-10-02", ["credit": "<b>Credit:</b> A", "hdurl": "//a"])),
            "[\(v1Element("2026-10-02")),\(v1Element("2026-10-01"))]",
            "{\"code\":\"x\",\"message\":\"y\",\"data\":{\"status\":404}}",
        ].map { Array($0.utf8) }
        let tokens = [
            "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "1e999999", "<img a=1 ", "<!--", ">",
            "\"date\":", "9999-99-99", "\u{FEFF}", "<script>", "&#x", "\\ud800", "false",
        ].map { Array($0.utf8) }
        var mutator = Mutator(seed: seed, tokens: tokens)
        for _ in 0..<150 {
            let body = mutator.mutated(samples)
            let feed = BasicFeed(address: Self.address) { _ in FeedAnswer(body: body) }
            guard let listing = try? await feed.newest() else { continue }
            #expect(listing.entries.count + listing.rejections.count <= 25)
            for entry in listing.entries {
                #expect(!entry.title.isEmpty)
                #expect(entry.title.utf8.count <= 4 << 10)
            }
        }
    }
}

extension BasicFeed {
    fileprivate func newestResult() async -> Result<Listing, FeedError> {
        do throws(FeedError) {
            return .success(try await newest())
        } catch {
            return .failure(error)
        }
    }
}
