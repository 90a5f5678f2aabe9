package import APOD
internal import MediaFormat
package import Platform

/// The days with certain files, the size of all, and the errors that prevented reading some.
extension TreeSnapshot {
    /// The days whose files have a property, such as `\.hasMedia`.
    package func days(where isIncluded: (DayFiles) -> Bool) -> Set<Day> {
        var included = Set<Day>(minimumCapacity: days.count)
        for files in days where isIncluded(files) { included.insert(files.day) }
        return included
    }

    /// The days with a record.
    package var recorded: Set<Day> { days(where: { $0.record != nil }) }

    /// The days with a record that are not among `others`, which are nearly all.
    func recorded(besides others: Set<Day>) -> Set<Day> {
        Set(days.lazy.filter { $0.record != nil && !others.contains($0.day) }.map(\.day))
    }

    /// The days with a record, in ascending order.
    package var recordedInOrder: [Day] { days.compactMap { $0.record == nil ? nil : $0.day } }

    /// The bytes of what is in `pictures/`.
    package var bytes: Int {
        days.reduce(0) { sum, files in
            files.media.reduce(sum) { $0.addingSaturating($1.stamp.size) }
        }
    }

    /// Why the record or the pictures of `day` cannot be read; `nil` if they can.
    ///
    /// ``unreadable`` has the error of a top folder, a year or a month, or of single files: any of these suffices.
    package func readError(of day: Day) -> SystemError? {
        guard !unreadable.isEmpty else { return nil }
        return [Layout.metadata, Layout.pictures].lazy.compactMap { top in
            let month = Layout.folder(top, of: day)
            return unreadable[top] ?? unreadable[Layout.split(month).folder] ?? unreadable[month]
                ?? unreadable.first { $0.key.hasPrefix("\(month)/\(day)") }?.value
        }.first
    }

    /// An error that may hide records, pictures or videos of the month of `day` or later ones; `nil` if there is none.
    package func readError(from day: Day) -> SystemError? { readErrors(from: day).first }

    /// All such errors, in the order of their paths.
    package func readErrors(from day: Day) -> [SystemError] {
        let month = "\(Month(of: day))"
        return unreadable.filter { path, error in
            guard Self.mayHideDays(path, error) else { return false }
            // `2026-11` of `metadata/2026/2026-11/2026-11-20.json`, or `2026` of `metadata/2026`.
            let period = path.split(separator: "/").dropFirst().prefix(2).last ?? ""
            return period >= month.prefix(period.count)
        }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether an error may hide records, pictures or videos of `year`.
    package func hidesDays(ofYear year: Int) -> Bool {
        unreadable.contains { path, error in
            // `2026` of `metadata/2026` and of `metadata/2026/2026-11`.
            let yearOfPath = path.split(separator: "/").dropFirst().first
            return yearOfPath == "\(year)" && Self.mayHideDays(path, error)
        }
    }

    /// Whether an error may hide records, pictures or videos of `month`.
    func hidesFiles(of month: Month) -> Bool {
        let folders = [Layout.metadata, Layout.pictures].map { "\(Layout.folder($0, of: month))/" }
        return unreadable.contains { path, error in
            Self.mayHideDays(path, error)
                && folders.contains { $0.hasPrefix("\(path)/") || path.hasPrefix($0) }
        }
    }

    /// Whether an error may hide records, pictures or videos at or below `path`.
    ///
    /// A link or file in place of a directory hides nothing: the mirror has written nothing below it.
    private static func mayHideDays(_ path: String, _ error: SystemError) -> Bool {
        !path.hasPrefix(Layout.thumbnails) && !error.isNotDirectory
    }

    /// The errors of records, pictures and videos, in the order of their paths, also those of a link or file in place
    /// of a directory.
    package var readErrors: [SystemError] {
        unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
            .sorted { $0.key < $1.key }.map(\.value)
    }
}
