package import APOD
package import Platform

/// The days with certain files, and the errors that hide days.
extension TreeSnapshot {
    private func days(where isIncluded: (DayFiles) -> Bool) -> Set<Day> {
        Set(days.lazy.filter(isIncluded).map(\.day))
    }

    package var recorded: Set<Day> { days { $0.record != nil } }

    /// The days with a picture in `pictures/`.
    package var pictured: Set<Day> { days { !$0.pictures.isEmpty } }

    /// The days with a picture that can have a thumbnail.
    package var illustrated: Set<Day> { days(where: \.isIllustrated) }

    /// The days with a picture or video in `pictures/`.
    package var published: Set<Day> { days(where: \.hasMedia) }

    /// The days with a record, which is published last, and a picture or video.
    package var complete: Set<Day> { days { $0.record != nil && $0.hasMedia } }

    package var thumbnails: Set<Day> { days { $0.thumbnail != nil } }

    /// The bytes of all records and of what is in `pictures/`.
    package var bytes: Int {
        days.lazy.map { files in
            files.media.lazy.map(\.stamp.size).saturatingSum()
                .addingSaturating(files.record?.size ?? 0)
        }.saturatingSum()
    }

    /// Why the record or the pictures of `day` cannot be read; `nil` if they can.
    package func obstacle(of day: Day) -> SystemError? {
        [Layout.metadata, Layout.pictures].lazy.compactMap { top in
            let month = Layout.folder(top, of: day)
            return unreadable[top] ?? unreadable[Layout.split(month).folder] ?? unreadable[month]
                ?? unreadable.first { $0.key.hasPrefix("\(month)/\(day)") }?.value
        }.first
    }

    /// An error that hides records, pictures or videos of `day` or later days; `nil` if there is none.
    package func obstacle(from day: Day) -> SystemError? {
        let month = "\(Month(of: day))"
        return unreadable.filter { path, error in
            guard !path.hasPrefix(Layout.thumbnails), !error.isNotDirectory else { return false }
            // The name of a month, or of a year, which hides all of its months.
            let name = path.split(separator: "/").dropFirst().prefix(2).last ?? ""
            return name >= month.prefix(name.count)
        }.min { $0.key < $1.key }?.value
    }

    /// The errors that hide days, each once, in the order of the paths.
    package var obstacles: [SystemError] {
        unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
            .sorted { $0.key < $1.key }.map(\.value)
    }
}

extension Store {
    /// The complete days of `snapshot`, without those that only have a file of a user, and without those of
    /// videos whose recorded poster is missing.
    ///
    /// Few records are read: of days that are not kept or are to be retried, and of videos. If it `readsAll`,
    /// every day may be one that retention removed, because there is no state.
    package func completeDays(
        _ snapshot: TreeSnapshot, readsAll: Bool = false
    ) throws(SystemError) -> Set<Day> {
        var days = snapshot.complete
        let state = try state()
        let keptFrom = readsAll ? .last : state.keptFrom ?? .first
        let pictured = snapshot.pictured
        for day in days
        where day < keptFrom || !pictured.contains(day) || state.retries[day] != nil {
            guard let record = try record(of: day) else { continue }
            var isComplete = false
            if record.removed == nil, let path = record.mediaPath {
                isComplete = try tree.exists(path)
            }
            // mutation test: user-picture
            if !isComplete { days.remove(day) }
        }
        return days
    }
}
