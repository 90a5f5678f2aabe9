import APOD
import JSON
import Mirror
import TestSupport
import Testing

/// What a search loads, finds and marks.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct SearchTests {
    private let titles = "[...document.querySelectorAll('#results .name')].map(n => n.textContent)"
    private let rest = "document.getElementById('older')"

    /// Runs `body` with the search page of a mirror that has two days in each of eight years.
    private nonisolated(nonsending) func withSearch(
        _ words: String = "",
        _ body: nonisolated(nonsending) (SampleMirror, Tab) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            for year in 2019...2026 {
                try mirror.add(
                    day("\(year)-05-01"), "The Crab of \(year)",
                    ["explanation": "A blue\nnebula, blue as Ångström’s ink, and a red one."])
                try mirror.add(
                    day("\(year)-05-02"), "The Comet of \(year)",
                    ["explanation": "A tail of dust over the red nebula."])
            }
            try mirror.add(
                day("2026-05-03"), "Links",
                [
                    "explanation": "A red nebula in dust.",
                    "explanation_html":
                        "A <a href=\"https://example.org/\">red</a> nebula in dust.",
                ])
            try await mirror.refresh()
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/search.html?q=\(words)"))
                try await body(mirror, tab)
            }
        }
    }

    private nonisolated(nonsending) func searches(
        _ words: String, _ tab: Tab
    ) async throws -> [String] {
        let query = JSON.string(words).line
        _ = try await tab.value(
            "field.value = \(query); field.dispatchEvent(new Event('input')); 1")
        #expect(try await tab.waits(for: "!isLoading && loaded"))
        guard case .array(let found) = try await tab.value(titles) else { return [] }
        return found.compactMap(\.string)
    }

    @Test func textsOfOldYearsAreLoadedWhenTheyAreAskedFor() async throws {
        try await withSearch("ngstrom") { mirror, tab in
            #expect(try await tab.waits(for: "!isLoading && loaded == 3"))
            #expect(try await tab.value("found.textContent").string?.contains("since 2024") == true)
            #expect(try await tab.value("\(titles).length") == 3)
            #expect(tab.requests.filter { $0.contains("/words/") }.count == 3)
            #expect(tab.requests.filter { $0.contains("/days/") }.count == 8)

            // Titles are found in all years.
            #expect(try await searches("crab 2019", tab) == ["The Crab of 2019"])
            #expect(tab.requests.filter { $0.contains("/words/") }.count == 3)

            try await tab.click("#older")
            #expect(try await tab.waits(for: "!isLoading && loaded == 8"))
            #expect(try await searches("ngstrom", tab).count == 8)
            #expect(try await tab.holds("\(rest).hidden"))
            #expect(try await tab.value("found.textContent") == "8 days")
            #expect(tab.complaints == [])
        }
    }

    @Test func anEmptySearchAndOneWithoutAHitShowASentence() async throws {
        try await withSearch { mirror, tab in
            #expect(
                try await tab.waits(for: "found.textContent.startsWith('Words that a day must')"))
            let found = try await searches("crab", tab)
            #expect(found.count == 8)
            #expect(try await searches("quasar", tab) == [])
            #expect(try await tab.holds("found.textContent.startsWith('Nothing found')"))
            #expect(try await searches("", tab) == [])
            #expect(try await tab.holds("found.textContent.startsWith('Words that a day must')"))
        }
    }

    @Test func aSearchKnowsPhrasesAndExcludedWords() async throws {
        let all = ["2026", "2025", "2024"]
        try await withSearch { mirror, tab in
            for (words, expected) in [
                ("\"red nebula\"", ["Links"] + all.map { "The Comet of \($0)" }),
                ("“blue nebula”", all.map { "The Crab of \($0)" }),
                ("red -crab -\"tail of\"", ["Links"]),
                ("red -comet -links 2026", ["The Crab of 2026"]),
                ("-crab", []), ("\"", []), ("\"nebula red\"", []), ("[.*", []),
            ] {
                let found = try await searches(words, tab)
                #expect(found == expected, "\(words)")
            }
            #expect(tab.complaints == [])
        }
    }

    @Test func aTextIsFoundAsInTheSearchOfTheCommand() async throws {
        try await withSearch { _, tab in
            for example in searchExamples {
                let (text, query) = (
                    JSON.string(example.text).line, JSON.string(example.query).line
                )
                let isFound = try await tab.value(
                    "folded(\(text)).includes(folded(\(query)).trim())")
                #expect(isFound == JSON.bool(example.isFound), "\(example)")
            }
        }
    }

    @Test func everyHitIsMarked() async throws {
        try await withSearch { mirror, tab in
            _ = try await searches("ångstrom \"blue nebula\" crab blue", tab)
            let marks = try await tab.value(
                "[...document.querySelector('#results .card').querySelectorAll('mark')].map(m => m.textContent)"
            )
            #expect(marks == ["Crab", "blue\nnebula", "blue", "Ångström"])

            // In the opened day, a phrase is marked across a link.
            _ = try await searches("\"red nebula\"", tab)
            try await tab.photograph("search results")
            try await tab.click("#results .card")
            #expect(try await tab.waits(for: isOpen("2026-05-03")))
            #expect(
                try await tab.waits(
                    for:
                        "[...CSS.highlights.get('hit')].map(r => r.toString()).join() == 'red nebula'"
                ))
            try await tab.photograph("hits")
            #expect(tab.complaints == [])
        }
    }

    @Test func keysAndLinksLeadFromHitToHitAndEscapeToTheResults() async throws {
        try await withSearch { mirror, tab in
            #expect(try await searches("dust tail", tab).count == 3)
            try await tab.click("#results .card")
            #expect(try await tab.waits(for: isOpen("2026-05-02")))
            let line = "document.querySelector('.day:target .hits').innerText"
            #expect(try await tab.waits(for: "\(line).startsWith('Found 1 of 3')"))
            try await tab.press("n", text: "n")
            #expect(try await tab.waits(for: isOpen("2025-05-02")))
            #expect(try await tab.waits(for: "\(line).startsWith('Found 2 of 3')"))
            try await tab.click(".day:target .hit-next")
            #expect(try await tab.waits(for: isOpen("2024-05-02")))
            try await tab.press("n", text: "n")
            try await tab.press("p", text: "p")
            #expect(try await tab.waits(for: isOpen("2025-05-02")))
            try await tab.press("Escape")
            #expect(try await tab.waits(for: "location.pathname.endsWith('/search.html')"))
            #expect(try await tab.waits(for: "field.value == 'dust tail' && \(titles).length == 3"))

            // A day that is opened in another way has no hits.
            try await tab.open(mirror.address("gallery/2025-05.html#2025-05-02"))
            #expect(try await tab.waits(for: isOpen("2025-05-02")))
            #expect(try await tab.value("document.querySelector('.hits')") == .null)
            #expect(tab.complaints == [])
        }
    }

    @Test func aSearchShowsMarkupInTitlesAndAddressesAsText() async throws {
        try await withMirror { mirror in
            try await SampleGallery.make(in: mirror)
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/search.html"))
                #expect(try await searches("<img src=x", tab) == [SampleGallery.attack])
                try await tab.click("#results .card")
                #expect(try await tab.waits(for: isOpen("2026-11-18")))
                #expect(try await tab.holds("window.ran === undefined"))
                try await tab.open(
                    mirror.address("gallery/2026-11.html?q=%3Cimg%20src=x%22%27%3E#2026-11-18"))
                #expect(try await tab.waits(for: isOpen("2026-11-18")))
                try await tab.open(mirror.address("gallery/2026-11.html?q=%#2026-11-18"))
                #expect(try await tab.waits(for: isOpen("2026-11-18")))
                #expect(try await tab.holds("window.ran === undefined"))
                #expect(tab.complaints == [])
            }
        }
    }
}
