import APOD
import Testing

@testable import Favorites

@Suite struct DateInTextTests {
    @Test(arguments: [
        ("2026-11-20 The Crab Nebula.jpg", "2026-11-20"),
        ("25 2024-05-03 someone elses copy.png", "2024-05-03"),
        ("ap240501.html", "2024-05-01"),
        ("AP950616", "1995-06-16"),
        ("apod-2026-october-2-the-complete-sharpless-catalog", "2026-10-02"),
        ("apod-2015-july-4", "2015-07-04"),
        ("APOD: 2024 May 1 - Saturn", "2024-05-01"),
        ("no date, then 2019-02-03", "2019-02-03"),
    ])
    func aDateIsFoundInAnyFormat(text: String, day: String) {
        #expect(DateInText.day(in: text.utf8) == Day(iso: day))
    }

    @Test(arguments: [
        "", "cat.jpg", "12026-11-20", "2026-11-200", "2026-13-20", "2026-02-30", "1995-06-15",
        "map240501", "ap2405011", "ap24050", "ap249901", "2026 Octobers 2", "2026-october-",
        "2026-october-123", "2026-october", "20261120", "2026-october-32", "x2026",
    ])
    func noDateIsFoundInOtherText(text: String) {
        #expect(DateInText.day(in: text.utf8) == nil)
    }
}
