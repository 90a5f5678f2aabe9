package import APOD
internal import MediaFormat
package import Platform

/// What the tree holds: one entry a day, by the names and the status of its files.
///
/// One walk over the directories of the months makes it, for a sync, the views, `status` and `verify`. It does not change
/// with the tree; ``reread(_:in:)`` lists one month of it again.
package struct TreeSnapshot: Hashable, Sendable {
    /// The days with any file, in ascending order.
    package private(set) var days: [DayFiles] = []
    /// For each month with files: which days have a record, and the names and sizes of their pictures and videos.
    ///
    /// A month has no digest if something in it could not be listed.
    private(set) var digests: [Month: Int] = [:]
    /// Why files and directories cannot be read, by path; if something else is in place of a directory, `isNotDirectory`.
    package private(set) var unreadable: [String: SystemError] = [:]

    /// The directories that have a directory for each month.
    package static let topFolders = [Layout.metadata, Layout.pictures, Layout.thumbnails]

    /// What a walk reads: on a slow disk, each status takes as long as a file.
    package enum Scope: Hashable, Sendable {
        /// The status of all files.
        case all
        /// The status of what is in `pictures/`, and the names of records and thumbnails, which are ``FileStamp/unread``.
        case media
        /// The names in `metadata/`.
        case records
    }

    private let scope: Scope

    private var topFolders: [String] {
        scope == .records ? [Layout.metadata] : Self.topFolders
    }

    /// Lists the directories of all months below `root` in two threads, and opens no file.
    ///
    /// - Throws: ``SystemError`` if the directory `metadata/` or `pictures/` cannot be read; an unreadable directory
    ///   inside affects only its own days.
    package init(of root: Directory, _ scope: Scope = .all) throws(SystemError) {
        self.scope = scope
        var months: Set<Month> = []
        for top in topFolders {
            for name in names(in: top, of: root) {
                let year = String(decoding: name, as: UTF8.self)
                guard Self.isYear(year) else { continue }
                for name in names(in: "\(top)/\(year)", of: root) {
                    if let month = Month(String(decoding: name, as: UTF8.self)),
                        year == "\(month.first.year)"
                    {
                        months.insert(month)
                    }
                }
            }
            if let error = unreadable[top], top != Layout.thumbnails, !error.isNotDirectory {
                throw error
            }
        }
        let folders = self
        let lists = months.sorted().mapOnThreads { month in
            var list = folders
            list.days = list.files(of: month, in: root)
            list.digests[month] = list.digest(of: month, list.days)
            return list
        }
        days.reserveCapacity(31 * months.count)
        for list in lists {
            days += list.days
            digests.merge(list.digests) { $1 }
            unreadable.merge(list.unreadable) { $1 }
        }
    }

    /// Lists the directories of the month of `day` alone, for a reader that needs no walk.
    init(ofMonthOf day: Day, in root: Directory, _ scope: Scope) {
        self.scope = scope
        reread(day, in: root)
    }

    /// Lists the directories of the month of `day` again, after a change of its files.
    ///
    /// A month stays unreadable if a directory above it is: only a new walk reads that.
    package mutating func reread(_ day: Day, in root: Directory) {
        let month = Month(of: day)
        for top in topFolders {
            let folder = Layout.folder(top, of: month)
            unreadable = unreadable.filter {
                $0.key != folder && !$0.key.hasPrefix("\(folder)/")
            }
        }
        let start = index(of: month.first)
        let daysOfMonth = month.days
        let count = days[start...].prefix { daysOfMonth.contains($0.day) }.count
        let files = files(of: month, in: root)
        digests[month] = digest(of: month, files)
        days.replaceSubrange(start..<start + count, with: files)
    }

    /// The digest of a month with these days; `nil` if there are none, or an error may hide some of their files.
    private func digest(of month: Month, _ days: [DayFiles]) -> Int? {
        guard !days.isEmpty, !hidesFiles(of: month) else { return nil }
        var digest = StoredDigest()
        for files in days {
            digest.add(files.day.number)
            digest.add(files.record == nil ? 0 : 1)
            for file in files.media where file.type != nil || file.isPage {
                digest.add(file.path)
                digest.add(file.stamp.size)
            }
        }
        return digest.number
    }

    package subscript(day: Day) -> DayFiles? {
        let index = index(of: day)
        return index < days.count && days[index].day == day ? days[index] : nil
    }

    /// The position of the first day that is not before `day`.
    private func index(of day: Day) -> Int {
        // A binary search: the days are in ascending order.
        var range = 0..<days.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                days[middle].day < day
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    // MARK: Questions

    /// The days whose files have a property, such as `\.hasMedia`.
    package func days(where isIncluded: (DayFiles) -> Bool) -> Set<Day> {
        var included = Set<Day>(minimumCapacity: days.count)
        for files in days where isIncluded(files) { included.insert(files.day) }
        return included
    }

    package var recorded: Set<Day> { days(where: { $0.record != nil }) }

    /// The days with a record that are not among `others`.
    func recorded(besides others: Set<Day>) -> Set<Day> {
        Set(days.lazy.filter { $0.record != nil && !others.contains($0.day) }.map(\.day))
    }

    /// The days with a record, in ascending order.
    package var recordedInOrder: [Day] { days.compactMap { $0.record == nil ? nil : $0.day } }

    /// The size of all that is in `pictures/`.
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

    /// All errors that may hide records, pictures or videos of the month of `day` or later ones, in the order of their paths.
    package func readErrors(from day: Day) -> [SystemError] {
        let month = "\(Month(of: day))"
        return unreadable.filter { path, error in
            let period = Self.period(of: path)
            return period >= month.prefix(period.count) && Self.mayHideDays(path, error)
        }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether an error may hide records, pictures or videos of `year`.
    package func hidesDays(ofYear year: Int) -> Bool {
        unreadable.contains { path, error in
            Self.period(of: path).prefix(4) == "\(year)" && Self.mayHideDays(path, error)
        }
    }

    func hidesFiles(of month: Month) -> Bool {
        unreadable.contains { path, error in
            "\(month)".hasPrefix(Self.period(of: path)) && Self.mayHideDays(path, error)
        }
    }

    /// `2026-11` of `metadata/2026/2026-11/2026-11-20.json`, `2026` of `metadata/2026`, nothing of `metadata`.
    private static func period(of path: String) -> Substring {
        path.split(separator: "/").dropFirst().prefix(2).last ?? ""
    }

    /// Whether an error may hide records, pictures or videos at or below `path`.
    ///
    /// A link or file in place of a directory hides nothing: the mirror has written nothing below it.
    private static func mayHideDays(_ path: String, _ error: SystemError) -> Bool {
        !path.hasPrefix(Layout.thumbnails) && !error.isNotDirectory
    }

    /// All errors of records, pictures and videos, in the order of their paths, also if they hide no days.
    package var readErrors: [SystemError] {
        unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Reading

    /// The files of the days of `month` in ascending order; other items are a user's.
    private mutating func files(of month: Month, in root: Directory) -> [DayFiles] {
        let dates = month.days
        var days = dates.map { DayFiles(day: $0) }
        for top in topFolders {
            let folder = Layout.folder(top, of: month)
            if !unreadable.isEmpty {
                let year = Layout.split(folder).folder
                guard unreadable[top] == nil, unreadable[year] == nil else { continue }
            }
            let items: [(name: [UInt8], status: FileStatus?)] =
                scope == .all || top == Layout.pictures
                ? list(folder, in: root).map { ($0.name, $0.status) }
                : names(in: folder, of: root, except: [.directory]).map { ($0, nil) }
            for (name, status) in items {
                guard let day = FileName.day(of: name), dates.contains(day) else { continue }
                days[day.number - dates.lowerBound.number]
                    .addIfRecognized(name, status, below: top, in: folder)
            }
        }
        return days.filter { !$0.isEmpty }
    }

    /// The items in the directory at `path`; items without a status are added to ``unreadable``.
    private mutating func list(_ path: String, in root: Directory) -> [DirectoryItem] {
        do throws(SystemError) {
            var failed: [String: SystemError] = [:]
            let items = try root.items(in: path) { name, error in
                failed["\(path)/\(String(decoding: name, as: UTF8.self))"] = error
            }
            unreadable.merge(failed) { $1 }
            return items ?? []
        } catch {
            unreadable[path] = error
            return []
        }
    }

    /// The names in the directory at `path`, except the names of items of the types `excluded`.
    private mutating func names(
        in path: String, of root: Directory, except excluded: Set<FileStatus.FileType> = []
    ) -> [[UInt8]] {
        do throws(SystemError) {
            return try root.names(in: path, except: excluded) ?? []
        } catch {
            unreadable[path] = error
            return []
        }
    }

    /// Whether `name` is a year of ``Day/first`` or later; ``Day/last`` is in 2094.
    private static func isYear(_ name: String) -> Bool {
        name.utf8.count == 4 && Int(name).map { 1995...2094 ~= $0 } ?? false
    }
}
