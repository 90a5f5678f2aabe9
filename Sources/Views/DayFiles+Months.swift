internal import APOD
internal import Mirror

extension [TreeSnapshot.DayFiles] {
    /// The days of each month, newest month first; the days of this array and of each month are in ascending order.
    var months: [ArraySlice<Element>] {
        var months: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last {
            let firstOfMonth = Month(of: last.day).first
            // The search is by position: a copy of each day would take most of the time.
            let start = rest.indices.last { rest[$0].day < firstOfMonth }.map { $0 + 1 } ?? 0
            months.append(rest[start...])
            rest = rest[..<start]
        }
        return months
    }
}
