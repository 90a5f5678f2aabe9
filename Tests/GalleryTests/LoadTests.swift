import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

/// What the browser loads for a page of a whole year.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct LoadTests {
    /// Runs `body` with a mirror that has so many days of 2024, with texts of the usual length and the same picture.
    private nonisolated(nonsending) func withYear(
        days: Int = 120, _ body: nonisolated(nonsending) (SampleMirror, Tab) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            let text = String(repeating: "Filaments of a star. ", count: 50)
            let picture = Drawing(seed: 1, width: 48, height: 32).encoded()
            for number in 0..<days {
                let day = day("2024-01-01").advanced(by: number)
                let (folder, name) = (Layout.folder(Layout.pictures, of: day), "\(day) Day.jpg")
                try mirror.tree.root.makeDirectory(folder).open(name, O_WRONLY | O_CREAT)
                    .write(picture, path: name)
                let record: JSON = [
                    "explanation": .string(text), "credit": "Somebody with a Telescope",
                    "picture": [
                        "path": .string("\(folder)/\(name)"), "bytes": .integer(picture.count),
                        "sha256": "", "type": "image/jpeg", "width": 48, "height": 32,
                        "origin": "http://127.0.0.1/",
                    ],
                ]
                try mirror.record(day, "Day \(number) in Many Colors", record)
            }
            try await mirror.refresh()
            try await withBrowser { try await body(mirror, $0) }
        }
    }

    @Test(arguments: [
        "gallery/2024.html#2024-02-03", "gallery/2024-02.html#2024-02-03",
        "gallery/2024-02.html?q=star#2024-02-03",
    ])
    func anAddressOfADayLoadsItsPictureAndNoOther(_ address: String) async throws {
        try await withYear { mirror, tab in
            try await tab.open(mirror.address(address))
            #expect(try await tab.waits(for: isOpen("2024-02-03")))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('.day:target .picture img').naturalWidth == 48"))
            #expect(tab.requests.filter { $0.contains("/pictures/") }.count == 1)
            #expect(tab.requests.count <= 11)
            #expect(tab.complaints == [])

            try await tab.press("Escape")
            #expect(try await tab.waits(for: "document.activeElement.id == 'at-2024-02-03'"))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('#at-2024-02-03 img').naturalWidth == 48"))
        }
    }

    @Test(arguments: ["february", "2024-02"])
    func aMonthIsReachedByItsNameAndByItsDate(_ month: String) async throws {
        try await withYear { mirror, tab in
            try await tab.prefer("light")
            try await tab.open(mirror.address("gallery/2024.html#\(month)"))
            let top = "document.querySelector('#february h2').getBoundingClientRect().top"
            #expect(try await tab.waits(for: "\(top) >= 0 && \(top) < 200"))
        }
    }

    /// Each year is a script and a picture.
    @Test func anAddressOfAnyDayLoadsFewYearsAtFirst() async throws {
        try await withMirror { mirror in
            for year in 2001...2024 {
                try mirror.add(day("\(year)-02-03"), "The Third of February \(year)")
            }
            try await mirror.refresh()
            try await withBrowser { tab in
                let titles =
                    "[...document.querySelectorAll('#results .name')].map(n => n.textContent)"
                try await tab.open(mirror.address("gallery/anyday.html#on-2003-02-03"))
                #expect(try await tab.waits(for: "\(titles).length == 12"))
                let first = (try await tab.value("\(titles).slice(0, 2)")).elements.compactMap(
                    \.string)
                #expect(first == ["The Third of February 2003", "The Third of February 2024"])
                #expect(
                    try await tab.waits(
                        for:
                            "[...document.querySelectorAll('#results img')].every(i => i.naturalWidth)"
                    ))
                #expect(tab.requests.count <= 40)

                try await tab.click("#more")
                #expect(try await tab.waits(for: "\(titles).length == 24"))
                #expect(try await tab.value("more.checkVisibility()") == false)
            }
        }
    }

    @Test func thePageOfAYearIsSmall() async throws {
        try await withYear(days: 366) { mirror, tab in
            let page = try #require(try mirror.text("gallery/2024.html"))
            #expect(page.utf8.count < 400_000)
            try await tab.open(mirror.address("gallery/2024.html"))
            #expect(try await tab.holds("document.querySelectorAll('*').length < 4000"))
            #expect(try await tab.value("document.querySelectorAll('.card').length") == 366)
        }
    }
}
