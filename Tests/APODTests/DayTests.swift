import APOD
import Testing

@Suite(.timeLimit(.minutes(10))) struct DayTests {
    /// The calendar, computed month by month.
    private static func calendar() -> [(year: Int, month: Int, day: Int)] {
        var days: [(year: Int, month: Int, day: Int)] = []
        for year in 1995...2094 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in zip(1..., lengths) {
                days += (1...length).map { (year, month, $0) }
            }
        }
        return Array(days.drop { ($0.year, $0.month, $0.day) < (1995, 6, 16) })
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    @Test func everyDayOfACenturyAgreesWithTheCalendarAndSurvivesARoundTrip() throws {
        var expected = Day.first
        for (year, month, number) in Self.calendar() {
            let day = try #require(Day(year: year, month: month, day: number))
            let tail = "\(Self.padded(month))-\(Self.padded(number))"
            let compact = (Self.padded(year % 100) + tail).filter { $0 != "-" }
            guard day == expected, (day.year, day.month, day.day) == (year, month, number),
                Day(iso: "\(year)-\(tail)") == day, "\(day)" == "\(year)-\(tail)",
                day.compact == compact, Day(compact: compact) == day,
                Day(number: day.number) == day
            else {
                Issue.record("\(year)-\(month)-\(number) is \(day), should be \(expected)")
                return
            }
            expected = day.advanced(by: 1)
        }
        #expect(expected == Day.last)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01",
        "1995-06-15", "2095-01-01", "2026-11-20 ", "+026-11-20", "2026-11-20-1", "２０２６-11-20",
    ])
    func anInvalidDayIsRejected(text: String) {
        #expect(Day(iso: text) == nil)
    }

    @Test(arguments: ["", "26112", "2611200", "261131", "950615", "26-112", "-61120", "26 120"])
    func anInvalidCompactDayIsRejected(text: String) {
        #expect(Day(compact: text) == nil)
    }

    @Test func arithmeticIsClampedToTheArchive() {
        #expect(Day.first.advanced(by: -1) == Day.first)
        #expect(Day.last.advanced(by: 1) == Day.last)
        #expect(Day.last.advanced(by: .max) == Day.last)
        #expect(Day.last.advanced(by: .min) == Day.first)
        #expect((Day.first...Day.last).count == 36_359)
    }

    // MARK: Months

    @Test func eachDayIsInItsMonthAlone() throws {
        var month = Month(of: .first)
        var day = Day.first
        while true {
            #expect(month.days.lowerBound == day && month.first == day)
            #expect(Month(month.description) == month)
            for day in month.days where Month(of: day) != month || !"\(day)".hasPrefix("\(month)-")
            {
                Issue.record("\(day) is not in \(month)")
            }
            guard month.days.upperBound < .last else { break }
            day = month.days.upperBound.advanced(by: 1)
            #expect(month < Month(of: day))
            month = Month(of: day)
        }
        #expect(month.description == "2094-12")
    }

    @Test(arguments: ["2026-13", "2026-00", "1995-05", "2095-01", "2026-1", "2026", "", "2026-11-"])
    func otherTextsAreNoMonths(text: String) {
        #expect(Month(text) == nil)
    }
}
