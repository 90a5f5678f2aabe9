import APOD
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The pages created by scripts: any day, the slideshow and the search.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ScriptPageTests {
    private let cards = "[...document.querySelectorAll('#results .card')]"

    @Test func aDateShowsTheSameDayOfAllYears() async throws {
        try await withGallery(of: { mirror in
            try SampleGallery.fill(mirror)
            try mirror.add(day("2025-11-20"), "A Year Before")
            try mirror.add(day("2019-11-20"), SampleGallery.attack)
        }) { _, tab in
            try await tab.open("gallery/anyday.html#on-2025-11-20")
            try await tab.expect("\(cards).length == 3")
            try await tab.expect(
                "\(cards).map(c => c.querySelector('.name').textContent)",
                is: ["A Year Before", "The Crab # Nebula", .string(SampleGallery.attack)])
            try await tab.photograph("any-day")
            try await tab.click("#results .card:nth-child(2)")
            try await tab.expect(isOpen("2026-11-20"))

            try await tab.open("gallery/anyday.html#on-2024-11-20")
            try await tab.expect("\(cards).length == 3 && !random.disabled")
            try await tab.expect("found.textContent.includes('does not have 20 November 2024')")
            // As a bookmark does it while the page is open.
            try await tab.open("gallery/anyday.html#on-2019-11-20")
            try await tab.expect("found.textContent.includes('20 November 2019, and')")
            try await tab.click("#random")
            try await tab.expect("document.querySelector('.day:target .view[open]')")
            try await tab.expect("window.ran === undefined")
            #expect(tab.complaints == [])
        }
    }

    private static let isReady = "!document.querySelector('#slideshow button').disabled"

    @Test func aSlideshowShowsThePicturesOfTheChoice() async throws {
        try await withGallery { mirror, tab in
            // A missing picture is skipped.
            let folder = "pictures/2026/2026-11"
            for name in try mirror.tree.root.folder(folder)?.textNames() ?? []
            where name.hasPrefix("2026-11-18") {
                try mirror.write([], to: "\(folder)/\(name)")
            }
            func expect(_ words: String) async throws {
                try await tab.expect(
                    "caption.textContent.startsWith('\(words)') && stage.querySelector('img')")
            }
            try await tab.open("gallery/slideshow.html#2026")
            try await tab.expect(Self.isReady)
            _ = try await tab.value("form.elements.order.value = 'newest'")
            try await tab.click("#slideshow button")
            try await expect("The Crab # Nebula, 20 November 2026")
            try await tab.photograph("slideshow")
            try await tab.press(" ")
            try await tab.expect("isPaused")
            for (key, words) in [
                ("ArrowRight", "天の川"), ("ArrowRight", "A % Film"), ("ArrowLeft", "天の川"),
            ] {
                try await tab.press(key)
                try await expect(words)
            }
            try await tab.press("Escape")
            try await tab.expect("stage.hidden")

            _ = try await tab.value(
                "choice.value = 'favorites'; form.elements.order.value = 'oldest'; 1")
            try await tab.click("#slideshow button")
            try await expect("Ångström")
            try await tab.click("#stage")
            try await expect("天の川")
            try await tab.click("#stage")
            try await expect("Ångström")
        }
    }

    @Test func aSlideshowWithoutPicturesShowsAMessage() async throws {
        try await withGallery(of: { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            for name in try mirror.tree.root.folder("pictures/2026/2026-11")?.textNames() ?? [] {
                try mirror.write([], to: "pictures/2026/2026-11/\(name)")
            }
        }) { _, tab in
            try await tab.open("gallery/slideshow.html#favorites")
            try await tab.expect(Self.isReady)
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
            _ = try await tab.value("choice.value = 'all'; problem.textContent = ''; 1")
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
        }
    }

    @Test func theCalendarOfAYearLinksToItsDays() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/2026.html")
            try await tab.expect(
                "[...document.querySelectorAll('.sheet')].map(s => s.querySelectorAll('a').length).join()",
                is: "4,3,3,4,3,3,8")
            // 1 November 2026 is a Sunday.
            try await tab.click(".calendar summary")
            func left(_ selector: String) -> String {
                "document.querySelector(`.sheet:last-child \(selector)`).getBoundingClientRect().left"
            }
            try await tab.expect("\(left("p > :first-child")) > \(left("[href$='#2026-11-20']"))")
            try await tab.photograph("calendar")
            try await tab.click(".sheet a[href$='#2026-11-19']")
            try await tab.expect(isOpen("2026-11-19"))
            #expect(tab.complaints == [])
        }
    }

    // MARK: Search

    private let titles = "[...document.querySelectorAll('#results .name')].map(n => n.textContent)"

    /// Runs `body` with the search page of a mirror that has two days in each of eight years.
    private nonisolated(nonsending) func withSearch(
        _ words: String = "",
        _ body: nonisolated(nonsending) (Tab) async throws -> Void
    ) async throws {
        try await withGallery(of: { mirror in
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
        }) { _, tab in
            try await tab.open("gallery/search.html?q=\(words)")
            try await body(tab)
            #expect(tab.complaints == [])
        }
    }

    private nonisolated(nonsending) func searches(
        _ words: String, _ tab: Tab
    ) async throws -> [String] {
        let query = JSON.string(words).line
        _ = try await tab.value(
            "field.value = \(query); field.dispatchEvent(new Event('input')); 1")
        try await tab.expect("!isLoading && loaded")
        return try await tab.value(titles).elements.compactMap(\.string)
    }

    @Test func textsOfOldYearsAreLoadedWhenTheyAreAskedFor() async throws {
        try await withSearch("ngstrom") { tab in
            try await tab.expect("!isLoading && loaded == 3")
            try await tab.expect("found.textContent.includes('since 2024')")
            try await tab.expect("\(titles).length", is: 3)
            #expect(tab.requests.count { $0.contains("/words/") } == 3)
            #expect(tab.requests.count { $0.contains("/days/") } == 8)

            // Titles are found in all years.
            #expect(try await searches("crab 2019", tab) == ["The Crab of 2019"])
            #expect(tab.requests.count { $0.contains("/words/") } == 3)

            try await tab.click("#older")
            try await tab.expect("!isLoading && loaded == 8")
            #expect(try await searches("ngstrom", tab).count == 8)
            try await tab.expect("document.getElementById('older').hidden")
            try await tab.expect("found.textContent", is: "8 days")
        }
    }

    @Test func aSearchKnowsPhrasesAndExcludedWordsAndSaysWhatItFoundNot() async throws {
        let all = ["2026", "2025", "2024"]
        try await withSearch { tab in
            try await tab.expect("found.textContent.startsWith('Words that a day must')")
            for (words, expected) in [
                ("\"red nebula\"", ["Links"] + all.map { "The Comet of \($0)" }),
                ("“blue nebula”", all.map { "The Crab of \($0)" }),
                ("red -crab -\"tail of\"", ["Links"]),
                ("red -comet -links 2026", ["The Crab of 2026"]),
                ("-crab", []), ("\"", []), ("\"nebula red\"", []), ("[.*", []), ("", []),
                ("quasar", []),
            ] {
                let found = try await searches(words, tab)
                #expect(found == expected, "\(words)")
            }
            try await tab.expect("found.textContent.startsWith('Nothing found')")
            #expect(try await searches("", tab) == [])
            try await tab.expect("found.textContent.startsWith('Words that a day must')")

            // A text is found as in the search of the command.
            for example in searchExamples {
                let (text, query) = (
                    JSON.string(example.text).line, JSON.string(example.query).line
                )
                try await tab.expect(
                    "placeOf(folded(\(query)).trim(), folded(\(text))) !== undefined",
                    is: .bool(example.isFound))
            }
        }
    }

    @Test func aSearchWithoutAHitOffersTheNearestWord() async throws {
        try await withSearch { tab in
            #expect(try await searches("the nebla", tab) == [])
            try await tab.expect(
                "found.textContent.endsWith('since 2024. Did you mean the nebula?')")
            try await tab.photograph("search without a hit")
            try await tab.click("#found a")
            try await tab.expect("document.querySelectorAll('#results .card').length == 6")
            for words in ["quasar", "blue links", "-nebla", ""] {
                #expect(try await searches(words, tab) == [])
                try await tab.expect("!found.textContent.includes('Did you mean')")
            }

            for example in correctionExamples {
                let (text, query) = (
                    JSON.string(example.text).line, JSON.string(example.query).line
                )
                _ = try await tab.value(
                    "days.length = 0; days.push({ all: folded(\(text)) }); countWords(); 1")
                try await tab.expect(
                    "correction(\(query)) ?? null",
                    is: example.correction.map(JSON.string) ?? .null)
            }
        }
    }

    @Test func aCatalogueNumberIsFoundAndMarkedHoweverItIsWritten() async throws {
        try await withGallery(of: { mirror in
            for (age, text) in [
                "Near M 1.", "Near M1, not M13.", "One of M13, from 1.", "The NGC-7000.",
                "Messier 1 beside Sh2-155.", "Sharpless 155.",
            ]
            .enumerated() {
                try mirror.add(
                    day("2026-11-20").advanced(by: -age), "Day \(age)",
                    ["explanation": .string(text)])
            }
        }) { _, tab in
            try await tab.open("gallery/search.html")
            for (words, expected) in [
                ("m1", ["Day 0", "Day 1", "Day 4"]), ("m 1", ["Day 0", "Day 1", "Day 4"]),
                ("messier 1", ["Day 0", "Day 1", "Day 4"]), ("m13 -messier 1", ["Day 2"]),
                ("sharpless 155", ["Day 4", "Day 5"]), ("sh 2-155 -m 1", ["Day 5"]),
                ("NGC7000", ["Day 3"]), ("ngc 7000", ["Day 3"]), ("ngc 700", []),
            ] {
                #expect(try await searches(words, tab) == expected, "\(words)")
            }
            _ = try await searches("m1", tab)
            try await tab.expect(
                "[...document.querySelectorAll('#results mark')].map(m => m.textContent)",
                is: ["M 1", "M1", "Messier 1"])
        }
    }

    @Test func everyHitIsMarked() async throws {
        try await withSearch { tab in
            _ = try await searches("ångstrom \"blue nebula\" crab blue", tab)
            try await tab.expect(
                "[...document.querySelectorAll('#results .card:first-child mark')].map(m => m.textContent)",
                is: ["Crab", "blue\nnebula", "blue", "Ångström"])

            // In the opened day, a phrase is marked across a link.
            _ = try await searches("\"red nebula\"", tab)
            try await tab.photograph("search results")
            try await tab.click("#results .card")
            try await tab.expect(isOpen("2026-05-03"))
            try await tab.expect(
                "[...CSS.highlights.get('hit')].map(r => r.toString()).join() == 'red nebula'")
            try await tab.photograph("hits")
        }
    }

    @Test func keysAndLinksLeadFromHitToHitAndEscapeToTheResults() async throws {
        try await withSearch { tab in
            #expect(try await searches("dust tail", tab).count == 3)
            try await tab.click("#results .card")
            try await tab.expect(isOpen("2026-05-02"))
            let line = "document.querySelector('.day:target .hits').innerText"
            try await tab.expect("\(line).startsWith('Found 1 of 3')")
            try await tab.press("n", text: "n")
            try await tab.expect(isOpen("2025-05-02"))
            try await tab.expect("\(line).startsWith('Found 2 of 3')")
            try await tab.click(".day:target .hit-next")
            try await tab.expect(isOpen("2024-05-02"))
            try await tab.press("n", text: "n")
            try await tab.press("p", text: "p")
            try await tab.expect(isOpen("2025-05-02"))
            try await tab.press("Escape")
            try await tab.expect("location.pathname.endsWith('/search.html')")
            try await tab.expect("field.value == 'dust tail' && \(titles).length == 3")
            try await tab.expect(
                "document.activeElement == document.querySelector('#results .card')")

            // A day that is opened in another way has no hits.
            try await tab.open(day: "2025-05-02")
            try await tab.expect("document.querySelector('.hits')", is: .null)
        }
    }

    @Test func aSearchShowsMarkupInTitlesAndAddressesAsText() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/search.html")
            #expect(try await searches("<img src=x", tab) == [SampleGallery.attack])
            try await tab.click("#results .card")
            try await tab.expect(isOpen("2026-11-18"))
            try await tab.expect("window.ran === undefined")
            for words in ["%3Cimg%20src=x%22%27%3E", "%"] {
                try await tab.open("gallery/2026-11.html?q=\(words)#2026-11-18")
                try await tab.expect(isOpen("2026-11-18"))
                try await tab.expect("window.ran === undefined")
            }
            #expect(tab.complaints == [])
        }
    }
}
