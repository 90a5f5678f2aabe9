package import APOD
package import Platform

/// What a ``TreeSnapshot`` lacks because a file or directory could not be read.
///
/// A day that is only hidden by an error must not be taken for deleted. So code that misses something in a snapshot asks first:
///
/// - about one day: ``readError(of:)``
/// - about one month: ``hidesDays(of:)``
/// - about all days, or all since one of them: ``errorsHidingDays(from:)``
extension TreeSnapshot {
    /// Why the record or the pictures of `day` could not be read; `nil` if all of them were read.
    ///
    /// The error may be that of the day's file, of its month, of its year, or of the whole `metadata/` or `pictures/`.
    package func readError(of day: Day) -> SystemError? {
        guard !unreadable.isEmpty else { return nil }
        return readError(of: day, below: Layout.metadata)
            ?? readError(of: day, below: Layout.pictures)
    }

    private func readError(of day: Day, below top: String) -> SystemError? {
        let month = Layout.folder(top, of: day)
        let year = Layout.split(month).folder
        // What is above the month hides it, too.
        for folder in [top, year, month] {
            if let error = unreadable[folder] { return error }
        }
        return unreadable.first { path, _ in path.hasPrefix("\(month)/\(day)") }?.value
    }

    /// All errors of records, pictures and videos, in the order of their paths, even if no day is missing because of them.
    package var readErrors: [SystemError] {
        errors { path, _ in !path.hasPrefix(Layout.thumbnails) }
    }

    /// Why the thumbnail of `day` may be there although it is missing here; `nil` if no error can have hidden it.
    package func thumbnailError(of day: Day) -> SystemError? {
        guard !unreadable.isEmpty, let error = readError(of: day, below: Layout.thumbnails)
        else { return nil }
        return Self.mayHideThumbnails(error) ? error : nil
    }

    /// All errors because of which thumbnails may be missing here, in the order of their paths.
    package var thumbnailErrors: [SystemError] {
        errors { $0.hasPrefix(Layout.thumbnails) && Self.mayHideThumbnails($1) }
    }

    /// Below a link or a file in place of a directory, there is certainly no thumbnail.
    private static func mayHideThumbnails(_ error: SystemError) -> Bool { !error.isNotDirectory }

    /// Whether days of `month`, or files of them, may be missing here because of an error.
    package func hidesDays(of month: Month) -> Bool { Self.hidesDays(of: month, unreadable) }

    static func hidesDays(of month: Month, _ errors: [String: SystemError]) -> Bool {
        errors.contains { hiddenDays(at: $0, by: $1)?.overlaps(month.days) == true }
    }

    /// The errors because of which days may be missing here, from the month of `day` on, in the order of their paths.
    package func errorsHidingDays(from day: Day) -> [SystemError] {
        let firstOfMonth = Month(of: day).first
        return errors { path, error in
            guard let days = Self.hiddenDays(at: path, by: error) else { return false }
            return days.upperBound >= firstOfMonth
        }
    }

    /// The years of which days may be missing here because of an error.
    package var yearsWithHiddenDays: Set<Int> {
        let hiddenDays = unreadable.compactMap { Self.hiddenDays(at: $0, by: $1) }
        return Set(hiddenDays.flatMap { $0.lowerBound.year...$0.upperBound.year })
    }

    /// The days of which the walk may have missed records, pictures or videos because of `error` at `path`; `nil` for none.
    ///
    /// An error of `metadata/2026/2026-11`, or of a file in it, may hide all days of the month. An error of `metadata/2026` may
    /// hide the year, and an error of `metadata` all days.
    private static func hiddenDays(at path: String, by error: SystemError) -> ClosedRange<Day>? {
        // A link or a file in place of a directory hides nothing, because the mirror writes nothing below it.
        guard !path.hasPrefix(Layout.thumbnails), !error.isNotDirectory else { return nil }
        let names = path.split(separator: "/")
        if names.count > 2, let month = Month(names[2]) { return month.days }
        guard names.count > 1, let year = Int(names[1]) else { return Day.first...Day.last }
        // In the first and the last year of APOD, not all days exist.
        let firstOfYear = Day(year: year, month: 1, day: 1) ?? .first
        let lastOfYear = Day(year: year, month: 12, day: 31) ?? .last
        return firstOfYear...lastOfYear
    }

    /// The errors that are included by their path and value, in the order of the paths.
    private func errors(where isIncluded: (String, SystemError) -> Bool) -> [SystemError] {
        unreadable.filter { isIncluded($0.key, $0.value) }.sorted { $0.key < $1.key }.map(\.value)
    }
}
