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
    /// Adds so many days of 2024, with texts of the usual length and the same picture.
    private static func addYear(to mirror: SampleMirror, days: Int = 120) throws {
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
    }

    @Test(arguments: [
        "gallery/2024.html#2024-02-03", "gallery/2024-02.html#2024-02-03",
        "gallery/2024-02.html?q=star#2024-02-03",
    ])
    func anAddressOfADayLoadsItsPictureAndNoOther(_ address: String) async throws {
        try await withGallery(of: { try Self.addYear(to: $0) }) { _, tab in
            try await tab.open(address)
            try await tab.expect(isOpen("2024-02-03"))
            try await tab.expect(
                "document.querySelector('.day:target .picture img').naturalWidth == 48")
            #expect(tab.requests.count { $0.contains("/pictures/") } == 1)
            #expect(tab.requests.count <= 11)
            #expect(tab.complaints == [])

            try await tab.press("Escape")
            try await tab.expect("document.activeElement.id == 'at-2024-02-03'")
            try await tab.expect("document.querySelector('#at-2024-02-03 img').naturalWidth == 48")
        }
    }

    @Test func aMonthIsReachedByItsNameAndByItsDateInAPageOfAYearThatIsSmall() async throws {
        try await withGallery(of: { try Self.addYear(to: $0, days: 366) }) { mirror, tab in
            try await tab.prefer("light")
            for month in ["february", "2024-02"] {
                try await tab.open("about:blank")
                try await tab.open("gallery/2024.html#\(month)")
                let top = "document.querySelector('#february h2').getBoundingClientRect().top"
                try await tab.expect("\(top) >= 0 && \(top) < 200")
            }
            let page = try #require(try mirror.text("gallery/2024.html"))
            #expect(page.utf8.count < 400_000)
            try await tab.expect("document.querySelectorAll('*').length < 4000")
            try await tab.expect("document.querySelectorAll('.card').length", is: 366)
        }
    }

    /// Each year is a script and a picture.
    @Test func anAddressOfAnyDayLoadsFewYearsAtFirst() async throws {
        try await withGallery(of: { mirror in
            for year in 2001...2024 {
                try mirror.add(day("\(year)-02-03"), "The Third of February \(year)")
            }
        }) { _, tab in
            let titles = "[...document.querySelectorAll('#results .name')].map(n => n.textContent)"
            try await tab.open("gallery/anyday.html#on-2003-02-03")
            try await tab.expect("\(titles).length == 12")
            try await tab.expect(
                "\(titles).slice(0, 2)",
                is: ["The Third of February 2003", "The Third of February 2024"])
            try await tab.expect(
                "[...document.querySelectorAll('#results img')].every(i => i.naturalWidth)")
            #expect(tab.requests.count <= 40)

            try await tab.click("#more")
            try await tab.expect("\(titles).length == 24")
            try await tab.expect("!more.checkVisibility()")
        }
    }
}
