import APOD
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// What the browser loads for a page of a whole year.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Chromium.path != nil, "needs Debian's chromium"))
struct LoadTests {
    /// Runs `body` with a mirror that has each day of 2024, with texts of the usual length.
    private nonisolated(nonsending) func withYear(
        _ body: nonisolated(nonsending) (SampleMirror, Tab) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            let text = String(repeating: "Filaments of a star. ", count: 50)
            for number in 0..<366 {
                try mirror.add(
                    day("2024-01-01").advanced(by: number), "Day \(number) in Many Colors",
                    ["explanation": .string(text), "credit": "Somebody with a Telescope"])
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
            #expect(tab.requests.count <= 10)
            #expect(tab.complaints == [])

            try await tab.press("Escape")
            #expect(try await tab.waits(for: "document.activeElement.id == 'at-2024-02-03'"))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('#at-2024-02-03 img').naturalWidth == 48"))
        }
    }

    @Test func theCardOfADayOpensItWithoutScripts() async throws {
        try await withYear { mirror, tab in
            try await tab.forbidScripts()
            try await tab.open(mirror.address("gallery/2024.html#2024-02-03"))
            #expect(try await tab.waits(for: "scrollY > 1000"))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('.card:target img').naturalWidth == 48"))
            try await tab.click(".card:target")
            #expect(try await tab.waits(for: isOpen("2024-02-03", byScript: false)))
        }
    }

    @Test(arguments: ["july", "2024-07"])
    func aMonthIsReachedByItsNameAndByItsDate(_ month: String) async throws {
        try await withYear { mirror, tab in
            try await tab.prefer("light")
            try await tab.open(mirror.address("gallery/2024.html#\(month)"))
            let top = "document.querySelector('#july h2').getBoundingClientRect().top"
            #expect(try await tab.waits(for: "\(top) >= 0 && \(top) < 200"))
        }
    }

    @Test func thePageOfAYearIsSmall() async throws {
        try await withYear { mirror, tab in
            let page = try #require(try mirror.text("gallery/2024.html"))
            #expect(page.utf8.count < 400_000)
            try await tab.open(mirror.address("gallery/2024.html"))
            #expect(
                try await tab.value(
                    "document.querySelectorAll('*').length < 4000") == true)
            #expect(try await tab.value("document.querySelectorAll('.card').length") == 366)
        }
    }
}
