import APOD
import Testing

@Suite struct MonthTests {
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
