package import APOD
package import Platform

/// What a ``TreeSnapshot`` lacks because a file or directory could not be read.
///
/// A caller must not take a day for deleted that is only hidden by an error. So it asks here first, about one day, one month,
/// or all days from one on.
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
        for folder in [top, year, month] {
            if let error = unreadable[folder] { return error }
        }
        return unreadable.first { $0.key.hasPrefix("\(month)/\(day)") }?.value
    }

    /// All errors of records, pictures and videos, in the order of their paths, even if no day is missing because of them.
    package var readErrors: [SystemError] {
        unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Hidden days

    /// An error because of which days may be missing here, from the month of `day` on; `nil` if there is none.
    package func errorHidingDays(from day: Day) -> SystemError? {
        errorsHidingDays(from: day).first
    }

    /// All errors because of which days may be missing here, from the month of `day` on, in the order of their paths.
    package func errorsHidingDays(from day: Day) -> [SystemError] {
        let month = "\(Month(of: day))"
        return unreadable.filter { path, error in
            let period = Self.period(of: path)
            return period >= month.prefix(period.count) && Self.mayHideDays(path, error)
        }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The years of which days may be missing here because of an error.
    package var yearsWithHiddenDays: Set<Int> {
        let hiding = unreadable.lazy.filter { Self.mayHideDays($0.key, $0.value) }
        return Set(hiding.compactMap { Int(Self.period(of: $0.key).prefix(4)) })
    }

    /// Whether days of `month`, or files of them, may be missing here because of an error.
    package func hidesDays(of month: Month) -> Bool { Self.hidesDays(of: month, unreadable) }

    /// Whether one of `errors`, by their paths, may hide days of `month`.
    static func hidesDays(of month: Month, _ errors: [String: SystemError]) -> Bool {
        errors.contains { path, error in
            "\(month)".hasPrefix(period(of: path)) && mayHideDays(path, error)
        }
    }

    /// The month or year in `path`, as its days have it at the start of their names.
    ///
    /// `2026-11` of `metadata/2026/2026-11/2026-11-20.json`, `2026` of `metadata/2026`, and an empty text of `metadata`.
    private static func period(of path: String) -> Substring {
        path.split(separator: "/").dropFirst().prefix(2).last ?? ""
    }

    /// Whether records, pictures or videos may exist at or below `path`, although `error` kept the walk from finding them.
    ///
    /// A link or a file in place of a directory hides nothing, because the mirror writes nothing below it.
    private static func mayHideDays(_ path: String, _ error: SystemError) -> Bool {
        !path.hasPrefix(Layout.thumbnails) && !error.isNotDirectory
    }
}
