import APOD
import Testing
import Transfer

/// Entries that NASA lists twice, or under a wrong day.
@Suite(.timeLimit(.minutes(10))) struct DoubledDayTests {
    private static let url: WebURL = "https://science.nasa.gov/apod-basic"
    private static let address = url.text
    private static let doubled = Day(iso: "2008-02-16") ?? .first
    private static let missing = Day(iso: "2008-02-13") ?? .first

    private static func page(_ heading: String) -> String {
        """
        <!doctype html><html><head><title> APOD: \(heading) - A Title</title></head><body>
        <center><h1> Astronomy Picture of the Day </h1><p>\(heading)<br></center>
        <b> Tomorrow's picture: </b><a href="x">APOD: 2008 February 17 - Next</a></body></html>
        """
    }

    private static let wrong = basicElement(
        "\(doubled)", ["title": "A Sunset", "basic_html": page("2008 February 13")])
    private static let right = basicElement(
        "\(doubled)", ["title": "The Lagoon Nebula", "basic_html": page("2008 February 16")])

    /// Serves the days of `range` in pages of 25, 2008-02-16 twice and 2008-02-13 not at all.
    private func server(_ range: ClosedRange<Day>, _ double: [String]) -> CannedServer {
        let elements = range.reversed().flatMap { day -> [(day: Day, text: String)] in
            switch day {
            case Self.doubled: double.map { (day: day, text: $0) }
            case Self.missing: []
            default: [(day: day, text: basicElement("\(day)"))]
            }
        }
        return CannedServer { .page(of: elements, at: $0) }
    }

    /// The duplicate in the middle of a page, at its top, and at its end.
    @Test(arguments: [[wrong, right], [right, wrong]], [0, 10, 23, 25, 30])
    func aDuplicateCostsNeitherDaysNorRequests(double: [String], newer: Int) async throws {
        let range = Self.doubled.advanced(by: -70)...Self.doubled.advanced(by: newer)
        let server = server(range, double)

        let pages = try await server.basic.allPages(over: range)

        let entries = pages.flatMap(\.entries)
        #expect(entries.map(\.day) == range.reversed().filter { $0 != Self.missing })
        #expect(entries.first { $0.day == Self.doubled }?.title == "The Lagoon Nebula")
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
        #expect(await server.requested.count == (range.count + 24) / 25)
        let reasons = pages.flatMap(\.rejections).map(\.reason)
        #expect(reasons.allSatisfy { $0.contains("2008-02-16") })
    }

    @Test(arguments: ["2035-01-01", "2094-12-31", "1999-01-01"])
    func onlyAnEntryOutsideOfTheRangeIsRejected(date: String) async throws {
        let range = try day("2026-07-01")...day("2026-07-04")
        let days = ["2026-07-04", "2026-07-03", date, "2026-07-01"]
        let basic = CannedServer { _ in .page(days.map { basicElement($0) }, of: 1, total: 4) }
        let v1 = CannedServer { _ in .page(days.map { v1Element($0) }) }
        let feeds: [any Feed] = [
            BasicFeed(at: Self.url, request: basic.request),
            V1Feed(at: "https://a/apod", request: v1.request),
        ]
        for feed in feeds {
            let pages = try await feed.allPages(over: range)

            #expect(pages.flatMap(\.entries).map(\.day.day) == [4, 3, 1])
            #expect(pages.flatMap(\.rejections).map { $0.reason.contains(date) } == [true])
            #expect(pages.flatMap(\.covered).sorted() == Array(range))
        }
    }

    // MARK: The one entry that NASA is known to have dated wrongly

    private static let sunsetDay = Day(iso: "2007-07-13") ?? .first
    private static let listedDay = Day(iso: "2007-07-16") ?? .first

    /// Serves `range`, with “Manhattanhenge” before or after the entry of the day under which it is listed; NASA makes the
    /// pages of the listed date.
    private func server(_ range: ClosedRange<Day>, sunsetIsFirst: Bool) -> CannedServer {
        func element(_ day: Day, _ title: String) -> (day: Day, text: String) {
            let page = Self.page("\(day.year) \(Day.months[day.month - 1]) \(day.day)")
            return (day, basicElement("\(day)", ["title": title, "basic_html": page]))
        }
        let elements = range.reversed().flatMap { day -> [(day: Day, text: String)] in
            switch day {
            case Self.listedDay:
                [
                    element(day, sunsetIsFirst ? Self.sunset : "APOD: 2007 July 16 - The Lagoon"),
                    element(day, sunsetIsFirst ? "APOD: 2007 July 16 - The Lagoon" : Self.sunset),
                ]
            case Self.sunsetDay: []
            default: [element(day, "A Title")]
            }
        }
        return CannedServer { .page(of: elements, at: $0) }
    }

    private static let sunset = "APOD: 2007 July 16 &#8211; Manhattanhenge: A New York City Sunset"

    /// Between two lists, one of which ends with the entry of the day, it would be requested alone.
    @Test(arguments: [true, false], [0, 10, 23, 25])
    func aMisfiledEntryIsThatOfItsDay(sunsetIsFirst: Bool, newer: Int) async throws {
        let range = Self.listedDay.advanced(by: -70)...Self.listedDay.advanced(by: newer)
        let server = server(range, sunsetIsFirst: sunsetIsFirst)

        let pages = try await server.basic.allPages(over: range)

        let entries = pages.flatMap(\.entries)
        #expect(entries.map(\.day).sorted() == Array(range))
        #expect(entries.filter { $0.title.hasPrefix("Man") }.map(\.day) == [Self.sunsetDay])
        #expect(entries.first { $0.day == Self.listedDay }?.title == "The Lagoon")
        #expect(pages.flatMap(\.rejections) == [])
        #expect(pages.flatMap(\.covered).sorted() == Array(range))
        #expect(await server.requested.count == (range.count + 24) / 25)
    }

    @Test(arguments: [true, false])
    func eachOfTheDaysOfAMisfiledEntryIsFoundAlone(sunsetIsFirst: Bool) async throws {
        let range = Self.listedDay.advanced(by: -9)...Self.listedDay.advanced(by: 9)
        let server = server(range, sunsetIsFirst: sunsetIsFirst)

        let sunset = try await server.basic.entry(of: Self.sunsetDay)
        let listed = try await server.basic.entry(of: Self.listedDay)

        #expect(sunset.title == "Manhattanhenge: A New York City Sunset")
        #expect(listed.title == "The Lagoon")
        #expect(await server.requested.count == 2)
    }
}
