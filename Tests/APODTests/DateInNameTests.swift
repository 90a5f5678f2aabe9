import APOD
import Testing

/// Dates in names, as APOD, its mirrors, other tools and people write them.
@Suite struct DateInNameTests {
    /// Each text, the day that is found anywhere in it, and the one that it begins with with what follows.
    static let texts: [(String, String?, String?)] = [
        ("2026-11-20 The Crab Nebula.jpg", "2026-11-20", "2026-11-20 the crab nebula.jpg"),
        ("2026-1-5", "2026-01-05", "2026-01-05"),
        ("2026 November 20", "2026-11-20", "2026-11-20"),
        ("apod-2026-october-2-the-catalog", "2026-10-02", "2026-10-02-the-catalog"),
        ("ap261120.html", "2026-11-20", "2026-11-20.html"),
        ("AP950616", "1995-06-16", "1995-06-16"),
        ("APOD_2026-11-20 Title.png", "2026-11-20", "2026-11-20 title.png"),
        ("APOD: 2024 May 1 - Saturn", "2024-05-01", "2024-05-01 - saturn"),
        ("APOD: May 1, 2024", nil, "2024-05-01"), ("apod may 1 2024 x", nil, "2024-05-01 x"),
        ("APOD: 7 December 2024 – x", nil, "2024-12-07 – x"),
        ("APOD: 2024 Dec 7 - x", nil, "2024-12-07 - x"), ("APOD: Sept. 7, 2024", nil, "2024-09-07"),
        ("APOD – 2024-12-07", "2024-12-07", "2024-12-07"), ("AP - 2024-12-07", "2024-12-07", nil),
        ("7 December 2024", nil, nil), ("2024 Dec 7", nil, nil), ("APOD: 7 Dec 24", nil, nil),
        ("APOD: 7 Deck 2024", nil, nil), ("APOD: 70 Dec 2024", nil, nil),
        ("May 1, 2024", nil, nil), ("APOD: May 1", nil, nil), ("APOD: May 2024", nil, nil),
        ("25 2024-05-03 someone elses copy.png", "2024-05-03", nil),
        ("no date, then 2019-02-03", "2019-02-03", nil),
        // Other numbers are mostly no dates.
        ("20261120_title", nil, "2026-11-20_title"), ("x20261120", nil, nil),
        ("apod-20261120.jpg", nil, "2026-11-20.jpg"), ("apod-261120", nil, "2026-11-20"),
        ("2026_11_20", nil, "2026-11-20"), ("2026.11.20", nil, "2026-11-20"),
        ("261120", nil, nil), ("20-11-2026", nil, nil), ("2026-11.20", nil, nil),
        // Dates that do not exist, or are outside of the archive.
        ("2026-13-20", nil, nil), ("2026-02-30", nil, nil), ("1995-06-15", nil, nil),
        ("20261399.jpg", nil, nil), ("ap249901", nil, nil), ("2026 February 30", nil, nil),
        ("", nil, nil), ("cat.jpg", nil, nil), ("12026-11-20", nil, nil), ("2026-11-200", nil, nil),
        ("map240501", nil, nil), ("ap2405011", nil, nil), ("ap24050", nil, nil),
        ("2026 Octobers 2", nil, nil), ("2026-october-", nil, nil), ("2026-october", nil, nil),
        ("2026-october-123", nil, nil), ("2026-october-32", nil, nil), ("2026", nil, nil),
    ]

    @Test(arguments: texts)
    func aDateIsFound(text: String, anywhere: String?, atStart: String?) {
        #expect(Day(anywhereIn: text.utf8)?.description == anywhere)
        let date = DateInName(startOf: text.utf8)
        let rest = date.map { String(decoding: $0.rest, as: UTF8.self) } ?? ""
        #expect(date.map { $0.day.description + rest } == atStart)
    }

    /// Names are bytes: nothing in them may trap.
    @Test func anyBytesOfANameAreRead() {
        var generator = SystemRandomNumberGenerator()
        let pieces: [[UInt8]] = [
            [0xff, 0xfe], Array("2026".utf8), Array("-".utf8), Array("11".utf8), Array("/".utf8),
            Array("ap".utf8), Array("99999999999999999999".utf8), [0xc3], Array("nov".utf8), [0],
        ]
        for _ in 0..<20_000 {
            let name = (0..<Int.random(in: 0...9, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            _ = (Day(anywhereIn: name), DateInName(startOf: name))
        }
    }
}
