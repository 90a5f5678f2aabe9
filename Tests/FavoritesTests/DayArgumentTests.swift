import APOD
import Favorites
import FoundationEssentials
import Mirror
import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct DayArgumentTests {
    /// 2026-11-20 at noon in UTC, the same day everywhere but at UTC+12 and beyond.
    private let now = Date(timeIntervalSince1970: 1_795_176_000)
    private var today: Day {
        get throws {
            try #require(Day(iso: LocalTime(now.timeIntervalSince1970).date))
        }
    }

    @Test func wordsNameDaysByTheClockOfTheMachine() throws {
        #expect(DayArgument.dayWithoutMirror("today", at: now) == (try today))
        #expect(DayArgument.dayWithoutMirror("Yesterday", at: now) == (try today.advanced(by: -1)))
    }

    @Test(arguments: [
        "2026-8-20", "20260820", "ap260820", "ap260820.html", "apod.nasa.gov/apod/ap260820.html",
        "https://apod.nasa.gov/apod/ap260820.html",
        "http://antwrp.gsfc.nasa.gov/apod/ap260820.html",
        "https://science.nasa.gov/image-article/apod-2026-august-20-the-crab/",
        "science.nasa.gov/image-article/apod-2026-august-20-the-crab/",
        "http://server:8080/gallery/2026-08.html#2026-08-20",
        "file:///srv/apod/gallery/2026.html#2026-08-20", "http://nas/v1/2026-08-20.json",
        "https://api.nasa.gov/planetary/apod?api_key=DEMO_KEY&date=2026-08-20",
    ])
    func aDateNeedsNoMirror(text: String) {
        #expect(DayArgument.dayWithoutMirror(text) == Day(iso: "2026-08-20"))
    }

    @Test(arguments: [
        "", "tomorrow", "latest", "nasa.gov", "https://apod.nasa.gov/apod/",
        "cat.com/ap260820.html", "https://science.nasa.gov/news-release/2026-08-20-moon/",
        "pictures/2026/2026-08/2026-08-20 X.jpg", "/2026-08-20", "x2026-08-20",
    ])
    func anythingElseIsNoDate(text: String) {
        #expect(DayArgument.dayWithoutMirror(text) == nil)
    }

    @Test(arguments: [
        "2026-08-20 The Crab.jpg", "2026-08-20.json", "2026-08-20_edit.PNG", "ap260820.jpg",
        "Downloads/2026-08-20 X.jpg", "2026/2026-08/2026-08-20 X.jpg", "favorites/2026-08-20",
        // The name of a link needs no extension.
        "favorites/Galaxies/2026-08-20", "favorites/2026-08-20.desktop",
        "favorites/2026-08-20 A Title", "smb://nas/apod/2026-08-20%20X.jpg",
    ])
    func theNameOfAFileNamesItsDay(text: String) async throws {
        try await withFolder { folder in
            let day = try DayArgument.day(text, in: folder.store)
            #expect(day == Day(iso: "2026-08-20"))
        }
    }

    @Test(arguments: [
        "2026-08-20..2026-08-25", "2026-08-20..25", "2026-08-20..today", "2026-08-20...2026-08-25",
        "2026-08-200",
        "2026-08-012", "2026-08-200.jpg", "2026-08-20 - 2026-08-25", "2026-08-20 to 2026-08-25",
        "2026-08-20-2026-08-25", "2026-08-20,2026-08-21", "2026-08-20/2026-08-25", "2026-08-20x",
        "ap260820..ap260825", "ap260820-25",
    ])
    func aDateWithAnythingElseAfterItIsNoDay(text: String) async throws {
        try await withFolder { folder in
            let day = try DayArgument.day(text, in: folder.store)
            #expect(day == nil)
        }
    }

    @Test func aDayAfterTheClockAndTheNewestOneIsInTheFuture() throws {
        let next = try today.advanced(by: 2)

        #expect(try today.absence(newest: nil, at: now) == nil)
        #expect(next.absence(newest: nil, at: now) == "\(next) is in the future")
        #expect(try next.isFuture(newest: today, at: now))
        // The clock is behind.
        #expect(!next.isFuture(newest: next, at: now))
    }

    @Test(arguments: ["1995-06-17", "1995-06-18", "1995-06-19", "2020-06-10"])
    func aDayWithoutAnEntryIsNamed(text: String) throws {
        let day = try #require(Day(iso: text))

        #expect(day.absence(newest: nil, at: now) == "NASA published nothing on \(day)")
    }
}
