import APOD
import FoundationEssentials
import JSON
import Simulator
import TestSupport
import Testing

/// The gallery on paper.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct PrintTests {
    /// Adds the days of July 2026, with texts of the length of NASA's longest.
    private static func fill(_ mirror: SampleMirror) throws {
        let text = String(repeating: "What is known of this nebula is little. ", count: 45)
        let sizes = [(480, 320), (320, 480), (900, 150)]
        for number in 1...31 {
            try mirror.add(
                day("2026-07-01").advanced(by: number - 1), "The Nebula of the Day \(number)",
                size: sizes[number % 3], ["explanation": .string(text), "credit": "A. Stargazer"])
        }
        try mirror.add(day("2026-06-30"), "A Day of June")
    }

    /// The number of pages that `address` has on paper.
    private func pages(_ tab: Tab, isLandscape: Bool = false) async throws -> Int {
        let pdf = try await tab.pdf(isLandscape: isLandscape)
        let text = String(decoding: pdf, as: UTF8.self)
        return text.ranges(of: "/Type /Page\n").count
    }

    @Test func anOpenedDayIsOneOrTwoPagesAndAMonthIsAContactSheetOnOne() async throws {
        try await withGallery(of: Self.fill) { _, tab in
            for date in ["2026-07-01", "2026-07-02", "2026-07-03"] {
                try await tab.open(day: date)
                #expect(1...2 ~= (try await pages(tab)), "\(date)")
                #expect(1...2 ~= (try await pages(tab, isLandscape: true)), "\(date)")
            }
            try await tab.open("gallery/2026.html#july")
            #expect(try await pages(tab) == 1)
            try await tab.printing()
            let cards = "[...document.querySelectorAll('.card')].filter(e => e.checkVisibility())"
            try await tab.expect("\(cards).length", is: 31)
            // Without a month in the address, each has a page.
            try await tab.open("about:blank")
            try await tab.open("gallery/2026.html")
            #expect(try await pages(tab) == 2)
        }
    }

    @Test(arguments: ["light", "dark"])
    func anOpenedDayIsBlackOnWhiteWithPictureTitleCreditAndText(scheme: String) async throws {
        try await withGallery(of: Self.fill) { _, tab in
            try await tab.prefer(scheme)
            try await tab.open(day: "2026-07-03")
            try await tab.printing(scheme)
            let visible = """
                [...document.querySelectorAll('img, h1, h2, h3, p, a, nav, header, footer, .card, button')]
                    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height)
                """
            try await tab.expect("\(visible).every(e => e.closest('.view'))")
            for part in ["img", "h3", ".credit", "p:not([class])", ".date"] {
                try await tab.expect("\(visible).some(e => e.matches('\(part)'))")
            }
            try await tab.expect("!\(visible).some(e => e.matches('.ways a, button'))")
            let style = "getComputedStyle(document.querySelector('.day:target .view'))"
            try await tab.expect("\(style).color", is: "rgb(0, 0, 0)")
            try await tab.expect("\(style).backgroundColor", is: "rgb(255, 255, 255)")
        }
    }
}

extension Tab {
    /// The page on A4 paper.
    fileprivate func pdf(isLandscape: Bool) async throws -> [UInt8] {
        let answer = try await call(
            "Page.printToPDF",
            [
                "paperWidth": .number(8.27), "paperHeight": .number(11.69),
                "landscape": .bool(isLandscape), "preferCSSPageSize": false,
            ])
        return Array(Data(base64Encoded: answer["data"]?.string ?? "") ?? Data())
    }

    /// Shows the page as it is on paper, for a desktop with dark or light colors.
    fileprivate func printing(_ scheme: String = "light") async throws {
        try await call(
            "Emulation.setEmulatedMedia",
            [
                "media": "print",
                "features": [["name": "prefers-color-scheme", "value": .string(scheme)]],
            ])
    }
}
