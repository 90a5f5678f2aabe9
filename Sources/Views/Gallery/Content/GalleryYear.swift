internal import APOD
internal import Mirror

/// The days of one year that have a record: the contents of the page of the year and of the pages of its months.
///
/// No record is read for it, because the names and times of files suffice to see which pages are outdated.
struct GalleryYear: Sendable {
    let year: Int
    /// Newest first, not empty.
    let months: [GalleryMonth]

    /// The years of the mirror, newest first.
    static func all(in input: ViewInput) -> [GalleryYear] {
        var months = input.snapshot.days.months.compactMap { GalleryMonth($0, in: input) }
        for index in months.indices.dropFirst() {
            months[index].newer = months[index - 1].days.last
            months[index - 1].older = months[index].days.first
        }
        return Dictionary(grouping: months) { $0.newest.year }
            .map { GalleryYear(year: $0.key, months: $0.value) }
            .sorted { $0.year > $1.year }
    }

    /// Newest first.
    var days: [Day] { months.flatMap(\.days) }

    /// Changes whenever the digest of a month changes.
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
    /// The nearest day with a record in a later month; `nil` if there is none.
    fileprivate(set) var newer: Day?
    /// The nearest day with a record in an earlier month; `nil` if there is none.
    fileprivate(set) var older: Day?
    /// Changes when a record changes, and when a day gets or loses a thumbnail, a rendition or its place among the favorites.
    let digest: InputDigest

    /// The month with these `files`; `nil` if none of its days has a record.
    fileprivate init?(_ files: ArraySlice<TreeSnapshot.DayFiles>, in input: ViewInput) {
        var (days, digest) = ([Day](), InputDigest())
        for index in files.indices where files[index].record != nil {
            let day = files[index].day
            days.append(day)
            digest.add(files[index])
            digest.add(input.favorites.contains(day) ? 1 : 0)
            digest.add(input.renditions.contains(day) ? 1 : 0)
        }
        guard !days.isEmpty else { return nil }
        (self.days, self.digest) = (days.reversed(), digest)
    }

    /// `2026-11`, for example.
    var name: String { "\(Month(of: newest))" }
    var newest: Day { days[0] }
}
