internal import APOD
internal import Mirror
internal import Platform

/// The days of one year that have a record: the contents of the page of the year and of the pages of its months.
///
/// No record is read for it, because the names and times of files suffice to see which pages are outdated.
struct GalleryYear: Sendable {
    let year: Int
    /// Newest first, not empty.
    let months: [GalleryMonth]

    /// The years of the mirror, newest first.
    ///
    /// A month whose folder cannot be listed has the days that the last update wrote.
    ///
    /// - Throws: The error of reading these days, because pages would otherwise lose them.
    static func all(in input: ViewInput) throws(SystemError) -> [GalleryYear] {
        Dictionary(grouping: try GalleryMonth.all(in: input)) { $0.newest.year }
            .map { GalleryYear(year: $0.key, months: $0.value) }
            .sorted { $0.year > $1.year }
    }

    /// Newest first.
    var days: [Day] { months.flatMap(\.days) }
    /// The days of the months whose folders can be listed; only the records of these days are read.
    var listedDays: [Day] { months.filter { !$0.isKept }.flatMap(\.days) }

    /// Changes whenever the digest of a month changes.
    var digest: InputDigest {
        var digest = InputDigest()
        for month in months { digest.add(month.digest) }
        return digest
    }
}
