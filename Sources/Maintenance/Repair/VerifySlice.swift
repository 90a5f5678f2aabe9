internal import APOD
internal import Mirror

/// The days that are verified at once: a thirtieth of the mirror.
struct VerifySlice: Hashable {
    /// The first slice begins at ``Day/first``, the last one ends at ``Day/last``.
    let range: ClosedRange<Day>
    /// The first day of the following slice; `nil` if the walk over all days ends with this one.
    let next: Day?

    /// The number of slices until every day was verified.
    static let slices = 30
    private static let minimum = 10

    /// Takes all days of the mirror, sorted; `first` is `nil` for the first slice.
    init(of days: [Day], from first: Day?) {
        // One more than a thirtieth, as a day is added every day.
        let size = max((days.count - 1) / Self.slices + 2, Self.minimum)
        let start = first.flatMap { first in days.firstIndex { $0 >= first } }
        let begin = start == nil ? Day.first : first ?? .first
        let end = (start ?? 0) + size
        next = end < days.count ? days[end] : nil
        range = begin...(next?.advanced(by: -1) ?? .last)
    }
}
