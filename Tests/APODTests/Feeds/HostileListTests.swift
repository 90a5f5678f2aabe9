import TestSupport
import Testing
import Transfer

@testable import APOD

/// Lists that are made to exhaust memory or time.
@Suite(.timeLimit(.minutes(10))) struct HostileListTests {
    private static let url: WebURL = "https://science.nasa.gov/apod-basic"

    private func basic(_ body: String) -> BasicFeed {
        CannedServer { _ in .text(body) }.basic
    }

    private static func copies(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// A list of two valid entries with `element` between them.
    private func between(_ element: String) -> String {
        "[\(basicElement("2026-10-03")),\(element),\(basicElement("2026-10-01"))]"
    }

    @Test(arguments: [
        copies("0,", 200_000), copies("{},", 200_000), copies("[[],{}],", 100_000),
        copies("\"\",", 200_000), copies("1e999999,", 100_000), copies("null,", 200_000),
    ])
    func aListWithoutEntriesIsUnusable(elements: String) async {
        await #expect(throws: FeedError.self) { try await basic("[\(elements)0]").newestPage() }
    }

    @Test func aListLongerThanAnyPageIsUnusable() async throws {
        let days = (0..<101).map { day in basicElement("\((try? self.newest(day)) ?? .first)") }

        await #expect(throws: FeedError.self) {
            try await basic("[\(days.joined(separator: ","))]").newestPage()
        }
    }

    private func newest(_ age: Int) throws -> Day { try day("2026-10-02").advanced(by: -age) }

    @Test func noDayOfLongerPagesIsSkipped() async throws {
        let all = Array(try day("2026-03-01")...day("2026-09-28"))
        let elements = all.reversed().map { (day: $0, text: basicElement("\($0)")) }
        let server = CannedServer { .page(of: elements, at: $0, by: 100) }

        let pages = try await server.basic.allPages(over: all[0]...all[all.count - 1])

        #expect(pages.flatMap(\.entries).map(\.day) == all.reversed())
        #expect(pages.flatMap(\.covered).sorted() == all)
        #expect(await server.requested.count <= all.count / 25 + 1)
    }

    @Test(arguments: [
        ("title", copies("x", 5_000)), ("alt", copies("é", 2_100)), ("hdurl", copies("/a", 2_100)),
        ("explanation", copies("<br>", 70_000)), ("explanation", copies("<br>", 20_000)),
        ("basic_html", copies("x", 2_000_000)), ("basic_html", copies("x", 50_000)),
        ("explanation", copies("\\\"", 33_000)), ("basic_html", copies("<p>", 20_000)),
        ("credit", copies("<i>x</i>", 9_000)),
    ])
    func onlyTheOversizedFieldIsLeftOut(field: String, value: String) async throws {
        let page = try await basic(between(basicElement("2026-10-02", [field: value]))).newestPage()

        #expect(page.entries.map(\.day.day) == [3, 2, 1] && page.rejections == [])
        #expect(page.entries[1].problems.map { $0.hasPrefix("\(field) is longer than") } == [true])
        #expect(page.covered.count == 3)
    }

    @Test(arguments: [
        copies("[", 100_000) + copies("]", 100_000),
        copies("{\"a\":", 50_000) + "0" + copies("}", 50_000),
        "{\"date\":\"99999-01-01\"}", "{\"date\":\"2026-00-10\"}", "{\"date\":\"-026-10-02\"}",
        "{\"date\":\"9223372036854775808-01-01\"}", "{\"date\":1e999999}", "NaN",
        "{\"date\":\"2026-10-02\" \"title\":\"x\"}",
    ])
    func onlyTheMalformedElementIsRejected(element: String) async throws {
        let page = try await basic(between(element)).newestPage()

        #expect(page.entries.map(\.day.day) == [3, 1])
        #expect(page.rejections.count == 1)
    }

    @Test func unknownMembersAreSkipped() async throws {
        let key = Self.copies("k", 50_000)
        let deep = Self.copies("[", 5_000) + Self.copies("]", 5_000)
        let element =
            "{\"\(key)\":1,\"x\":\(deep),\"x\":1e999999,\"date\":\"1999-01-01\","
            + basicElement("2026-10-02", ["title": "Whole"]).dropFirst()

        let entry = try #require(try await basic("[\(element)]").newestPage().entries.first)

        #expect(entry.day == (try day("2026-10-02")))
        #expect(entry.title == "Whole")
    }

    @Test func manyAttributesAreParsed() async throws {
        let attributes = (0..<1_800).map { "a\($0)=1" }.joined(separator: " ")
        let page = "<img \(attributes) SRC='/cds/apod/a.jpg'><img \" \(attributes)"
        let element = basicElement("2026-10-02", ["basic_html": page])

        let entry = try #require(try await basic("[\(element)]").newestPage().entries.first)

        #expect(entry.media.pictures.map(\.url) == ["https://science.nasa.gov/cds/apod/a.jpg"])
    }

    @Test func aCancelledTaskStopsDecoding() async throws {
        let elements = (0..<25).map { age in
            basicElement(
                "\((try? newest(age)) ?? .first)", ["explanation": Self.copies("<b>x</b>", 4_000)])
        }
        let feed = basic("[\(elements.joined(separator: ","))]")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await feed.newestPage()
        }

        await #expect(throws: FeedError.transfer(.cancelled)) { try await task.value }
    }

    /// Mutated lists never exceed the limits, and each entry has a title and normalized texts.
    @Test(arguments: 1...6) func mutatedListsAreDecodedOrRejected(seed: UInt64) async throws {
        let samples = [
            between(
                basicElement(
                    "2026-10-02", ["credit": "<b>Credit:</b> A", "alt": "b", "hdurl": "//a"])),
            "[\(v1Element("2026-10-02")),\(v1Element("2026-10-01"))]",
            "{\"code\":\"x\",\"message\":\"y\",\"data\":{\"status\":404}}",
        ].map { Array($0.utf8) }
        let tokens = [
            "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "1e999999", "<img a=1 ", "<!--", ">",
            "\"date\":", "9999-99-99", "\u{FEFF}", "<script>", "&#x", "\\ud800", "false",
            "<b>", "</p>", "<br>", "&amp;", "&#0;", "\\u0000", "\u{202E}",
        ].map { Array($0.utf8) }
        var mutator = Mutator(seed: seed, tokens: tokens)
        for _ in 0..<150 {
            let body = mutator.mutated(samples)
            let feed = BasicFeed(at: Self.url) { _ in BufferedResponse(body: body) }
            guard let page = try? await feed.newestPage() else { continue }
            #expect(page.entries.count + page.rejections.count <= 25)
            for entry in page.entries {
                #expect(!entry.title.isEmpty)
                #expect(entry.title.utf8.count <= 4 << 10)
                let texts = [entry.title, entry.credit, entry.copyright, entry.alt]
                for text in texts.compactMap(\.self) {
                    #expect(text == TextNormalizer.line(text))
                    #expect(!text.unicodeScalars.contains { $0.value < 0x20 }, "\(body)")
                }
            }
        }
    }
}
