package import APOD
package import FoundationEssentials
internal import JSON
package import Platform

/// The days of a mirror by which of their recorded files a walk found.
package struct RecordedDays: Sendable {
    /// The days with a recorded picture or video.
    package fileprivate(set) var withFiles: Set<Day> = []
    /// The days of ``withFiles`` that lack a file, with its path.
    fileprivate(set) var partial: [Day: String] = [:]
    /// The days with a file at its path again that retention had removed.
    fileprivate(set) var returned: Set<Day> = []
    /// The days whose recorded file has another size, as after an edit, with its path.
    package fileprivate(set) var edited: [Day: String] = [:]
    /// The days without the redirect page that their record names.
    fileprivate(set) var withoutPage: Set<Day> = []
}

/// Which days have their files, and which retention removed.
extension Store {
    /// The days of `snapshot` with a record and a picture or video that it names: see ``recordedDays(in:)``.
    package func daysWithFiles(_ snapshot: TreeSnapshot) throws(SystemError) -> Set<Day> {
        try recordedDays(in: snapshot).withFiles
    }

    /// Compares the records with the files in `snapshot`.
    ///
    /// A recorded file is here if a regular file of its size is at its path; a file of any other name is a person's. No
    /// record is read of a month that is as it was when all of its records agreed with its files, as ``checkedMonths`` says.
    func recordedDays(in snapshot: TreeSnapshot) throws(SystemError) -> RecordedDays {
        var days = RecordedDays()
        days.withFiles.reserveCapacity(snapshot.days.count)
        let checked = checkedMonths.digests(in: tree)
        var remaining = snapshot.days[...]
        while let first = remaining.first?.day {
            let month = Month(of: first)
            let lastDay = month.days.upperBound
            let daysOfMonth = remaining.prefix { $0.day <= lastDay }
            remaining = remaining.dropFirst(daysOfMonth.count)
            let recorded = daysOfMonth.lazy.filter { $0.record != nil }
            let digest = snapshot.digests[month]
            if let digest, checked[month] == digest {
                for files in recorded where files.hasMedia { days.withFiles.insert(files.day) }
                continue
            }
            var allAgree = true
            for files in recorded {
                let agrees = try days.add(files, record: knownRecord(of: files.day))
                allAgree = allAgree && agrees
            }
            if let digest { checkedMonths.record(month, allAgree ? digest : nil) }
        }
        return days
    }

    /// The newest day with a picture or a video, as `latest.json` says, for a daemon that has not walked over the tree yet.
    package func dayShownAsLatest() throws(SystemError) -> Day? {
        let bytes = try ifValid(
            tree.root.read(Layout.latestRecord, limit: Layout.largestRecord))
        return bytes.flatMap { try? JSON(parsing: $0) }?["date"]?.day
    }

    /// The newest day with a record, as ``SyncState/newest(of:_:)`` decides; `nil` if there is none.
    ///
    /// Months are listed one by one, the newest first, until one has such a day.
    ///
    /// - Throws: ``SystemError`` if records of that day or later ones cannot be listed.
    package func newestRecordedDay(at now: Date = Date()) throws(SystemError) -> Day? {
        let state = try state()
        let dates = try plausibleDates(state, recorded: [Day](), at: now)
        var month = Month(of: state.newest ?? dates.last ?? .last)
        while true {
            let snapshot = TreeSnapshot(ofMonthOf: month.first, in: tree.root, .records)
            if let error = snapshot.readError(of: month.first) { throw error }
            if let newest = state.newest(of: snapshot.recorded, dates) { return newest }
            let earlier = Month(of: month.first.advanced(by: -1))
            guard earlier < month else { return nil }
            month = earlier
        }
    }

    /// The days in `snapshot`, without `daysWithFiles`, whose picture or video retention removed.
    package func removedDays(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>
    ) throws(SystemError) -> Set<Day> {
        var days: Set<Day> = []
        for day in snapshot.recorded(besides: daysWithFiles)
        where try knownRecord(of: day)?.removed != nil {
            days.insert(day)
        }
        return days
    }

    /// The day whose picture `latest.jpg` shows, if there is one; retention does not remove it.
    var daysShownAsLatest: Set<Day> {
        get throws(SystemError) { Set([try tree.latestPictureDay].compactMap(\.self)) }
    }
}

extension RecordedDays {
    /// Adds a day with these `files`, and with `record`; returns whether all files that the record names are here.
    ///
    /// A day whose record is damaged or cannot be read counts as one with files: `verify` finds the record.
    fileprivate mutating func add(_ files: TreeSnapshot.DayFiles, record: DayRecord?) -> Bool {
        guard let record else {
            if files.hasMedia { withFiles.insert(files.day) }
            return false
        }
        let hasPage = record.pageFile.map { page in files.hasFile(at: page.path) } ?? true
        if !hasPage { withoutPage.insert(files.day) }
        guard files.hasMedia else { return hasPage }
        if record.allFiles.contains(where: { $0.removed != nil && files.has($0) }) {
            returned.insert(files.day)
        }
        let expected = record.removed == nil ? record.files : []
        let lost = expected.filter { !files.has($0) }
        edited[files.day] = lost.first { files.hasFile(at: $0.path) }?.path
        // If all recorded files are lost, the pictures that are here are a person's.
        // mutation test: user-picture
        if lost.count == expected.count { return false }
        withFiles.insert(files.day)
        partial[files.day] = lost.first?.path
        return lost.isEmpty && hasPage
    }
}

/// The months whose records agreed with their files when they were last read: the contents of `checked.json`.
///
/// Without the file, or if it is damaged, all records are read once. While it cannot be read, all records are read each
/// time, and nothing is written in its place.
final class CheckedMonths: Sendable {
    /// The digest in ``TreeSnapshot`` of each of these months; `nil` until the file is read.
    private let months = SharedValue<(digests: [Month: Int], isSaved: Bool)?>(nil)

    fileprivate func digests(in tree: Tree) -> [Month: Int] {
        months.withLock { months in
            if let months { return months.digests }
            guard let saved: [String: Int] = try? (tree.state(at: Layout.checkedMonths) ?? [:])
            else { return [:] }
            let digests: [Month: Int] = saved.reduce(into: [:]) { digests, saved in
                if let month = Month(saved.key) { digests[month] = saved.value }
            }
            months = (digests, true)
            return digests
        }
    }

    /// Records the digest of a month; `nil` if its records and files differ.
    fileprivate func record(_ month: Month, _ digest: Int?) {
        months.withLock { months in
            guard months != nil, months?.digests[month] != digest else { return }
            months?.digests[month] = digest
            months?.isSaved = false
        }
    }

    func save(in store: Store) throws(SystemError) {
        guard let digests = months.withLock({ $0?.isSaved == false ? $0?.digests : nil }) else {
            return
        }
        let texts: [String: Int] = digests.reduce(into: [:]) { texts, month in
            texts["\(month.key)"] = month.value
        }
        try store.write(texts, to: Layout.checkedMonths)
        months.withLock { $0?.isSaved = true }
    }
}

extension Tree {
    /// The day whose picture `latest.jpg` shows; `nil` if the file is missing or not the mirror's.
    package var latestPictureDay: Day? {
        get throws(SystemError) {
            let path = Layout.latestPicture
            guard let status = try ifPresent(root.status(path)) else { return nil }
            // A link shows the picture that it leads to, even if a person made the link.
            if let target = root.target(of: path) {
                return target.hasPrefix("\(Layout.pictures)/")
                    ? FileName.day(of: Layout.split(target).name) : nil
            }
            // The view gives a converted or copied picture the time of the original, which is on its day in UTC.
            guard try owns(path, by: .latest) else { return nil }
            let time = Date(timeIntervalSince1970: Double(status.modified))
            guard let day = Day(utcDateOf: time) else { return nil }
            // Where the disk keeps no such times, the time would name another day: the contents must agree.
            let start = try root.openToRead(path)
                .readStart(limit: ThumbnailFile.stampEnd, path: path)
            let picture = try Store(reading: self).knownRecord(of: day)?.picture
            // A copy, where the disk has no symbolic links, is as large as the picture.
            let isOfPicture =
                ThumbnailFile.originalSHA256(in: start).map { $0 == picture?.sha256 }
                ?? (status.size == picture?.bytes)
            return isOfPicture ? day : nil
        }
    }
}
