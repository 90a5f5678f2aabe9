internal import APOD
internal import Mirror

/// The days of one year that have a record: what the pages of the year and of its months show.
///
/// It is made of the names and the status of files, without reading a record: that is enough to decide which pages are up to
/// date.
struct GalleryYear: Sendable {
    let year: Int
    /// Newest first, not empty.
    let months: [GalleryMonth]

    /// The years of the mirror, newest first.
    static func all(in input: ViewInput) -> [GalleryYear] {
        let months = input.snapshot.days.months.map { days in
            let recorded = days.indices.reversed().filter { days[$0].record != nil }
            return (days: recorded.map { days[$0].day }, digest: digest(of: days, input))
        }.filter { !$0.days.isEmpty }
        let galleryMonths = months.indices.map { index in
            GalleryMonth(
                days: months[index].days,
                newer: index > 0 ? months[index - 1].days.last : nil,
                older: index + 1 < months.count ? months[index + 1].days.first : nil,
                digest: months[index].digest)
        }
        return Dictionary(grouping: galleryMonths) { $0.newest.year }
            .map { GalleryYear(year: $0.key, months: $0.value) }
            .sorted { $0.year > $1.year }
    }

    private static func digest(
        of days: ArraySlice<TreeSnapshot.DayFiles>, _ input: ViewInput
    ) -> InputDigest {
        var digest = InputDigest()
        for index in days.indices where days[index].record != nil {
            let day = days[index].day
            digest.add(days[index])
            digest.add(input.favorites.contains(day) ? 1 : 0)
            digest.add(input.renditions.contains(day) ? 1 : 0)
        }
        return digest
    }

    /// Newest first.
    var days: [Day] { months.flatMap(\.days) }

    /// Changes with the digest of each month.
    var digest: InputDigest {
        var digest = InputDigest()
        for month in months { digest.add(month.digest) }
        return digest
    }
}

/// The days of one month that have a record.
struct GalleryMonth: Sendable {
    /// Newest first; not empty.
    let days: [Day]
    /// The nearest days with a record in other months; `nil` if there is none.
    let newer: Day?
    let older: Day?
    /// Changes with the records of the days, and when one gets or loses a thumbnail, a rendition or its place among the
    /// favorites; not with ``newer`` and ``older``.
    let digest: InputDigest

    /// Such as `2026-11`.
    var name: String { "\(Month(of: newest))" }
    var newest: Day { days[0] }
}
