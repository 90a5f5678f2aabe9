internal import APOD

/// The days that one daily verification reads: a thirtieth of the mirror, so that all files are read in 30 days.
///
/// In a mirror of 3,000 days, a slice has 101 days.
struct VerifySlice {
    /// The first slice begins with ``Day/first``, and the last one ends with ``Day/last``.
    let range: ClosedRange<Day>
    /// The first day of the following slice; `nil` if this slice is the last one of the walk over all days.
    let next: Day?

    private static let sliceCount = 30
    /// The minimum length of a slice: a small mirror is read in less than 30 days.
    private static let minimumDays = 10

    /// Makes the slice that begins with `first`; `days` are all days of the mirror, in ascending order.
    ///
    /// If `first` is `nil` or after the last day, this is the first slice of a new walk.
    init(of days: [Day], from first: Day?) {
        var firstDay = Day.first
        var startIndex = 0
        if let first, let index = days.firstIndex(where: { $0 >= first }) {
            firstDay = first
            startIndex = index
        }
        let endIndex = startIndex + Self.length(ofMirrorWith: days.count)
        next = endIndex < days.count ? days[endIndex] : nil
        let lastDay = next?.advanced(by: -1) ?? .last
        range = firstDay...lastDay
    }

    /// The number of days of a slice: a thirtieth, rounded up, and one more, because the mirror gets a new day every day.
    private static func length(ofMirrorWith dayCount: Int) -> Int {
        let thirtieth = (dayCount + sliceCount - 1) / sliceCount
        return max(thirtieth + 1, minimumDays)
    }
}
