internal import APOD
internal import Mirror

extension [TreeSnapshot.DayFiles] {
    /// The days of each month, newest month first; the days of this array and of each month are in ascending order.
    var months: [ArraySlice<Element>] {
        var months: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last {
            let month = Month(of: last.day)
            let start = rest.lastIndex { Month(of: $0.day) != month }.map { $0 + 1 } ?? 0
            months.append(rest[start...])
            rest = rest[..<start]
        }
        return months
    }
}
