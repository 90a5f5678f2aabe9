package import APOD
internal import MediaFormat
package import Platform

/// The files of all days in the tree, by their names and sizes, as one walk over the directories found them.
///
/// A walk lists the directories of all months, and opens no file. The sync, the views, `status` and `verify` decide by the
/// snapshot what to do. It does not change when the tree changes; ``reread(_:in:)`` lists one month of it again.
package struct TreeSnapshot: Hashable, Sendable {
    /// The days that have any file, in ascending order.
    package private(set) var days: [DayFiles] = []
    /// A digest for each month with files, of the names and sizes of its pictures and videos, and of which days have records.
    ///
    /// As long as it is the same, the month has not changed. A month has none if something in it could not be listed.
    private(set) var digests: [Month: Int] = [:]
    /// Why files and directories could not be read, by their paths.
    ///
    /// If a link or a file is in place of a directory, the error of its path is ``SystemError/isNotDirectory``.
    package private(set) var unreadable: [String: SystemError] = [:]

    /// The directories in which each month has a directory.
    package static let topFolders = [Layout.metadata, Layout.pictures, Layout.thumbnails]

    /// How much a walk reads: on a slow disk, reading the status of a file takes as long as reading a small file.
    package enum Scope: Hashable, Sendable {
        /// The status of each file.
        case all
        /// The status of each file in `pictures/`; records and thumbnails are only listed: ``FileStamp/unread``.
        case media
        /// Only the names of the records, without the status.
        case records
    }

    private let scope: Scope

    private var topFolders: [String] {
        scope == .records ? [Layout.metadata] : Self.topFolders
    }

    /// Walks over the tree: lists the directories of all months below `root`, in two threads.
    ///
    /// - Throws: ``SystemError`` if the directory `metadata/` or `pictures/` itself cannot be read. A directory below them that
    ///   cannot be read is recorded in ``unreadable``, and only its own days are missing.
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

    /// Lists only the directories of the month of `day`, for a reader that needs no other month.
    init(ofMonthOf day: Day, in root: Directory, _ scope: Scope) {
        self.scope = scope
        reread(day, in: root)
    }

    /// Lists the directories of the month of `day` again, after a change of its files.
    ///
    /// If a directory above the month could not be read, the month stays unreadable until a new walk.
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

    /// The digest of `month`, which has these `days`; `nil` if it has none, or if an error may hide some of its files.
    private func digest(of month: Month, _ days: [DayFiles]) -> Int? {
        guard !days.isEmpty, !hidesDays(of: month) else { return nil }
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

    /// The index of `day` in ``days``, or of the first later day; found by a binary search.
    private func index(of day: Day) -> Int {
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

    /// The days whose files have a property such as `\.hasMedia`.
    package func days(where isIncluded: (DayFiles) -> Bool) -> Set<Day> {
        var included = Set<Day>(minimumCapacity: days.count)
        for files in days where isIncluded(files) { included.insert(files.day) }
        return included
    }

    package var recorded: Set<Day> { days(where: { $0.record != nil }) }

    /// The days with a record, without the days `others`.
    func recorded(besides others: Set<Day>) -> Set<Day> {
        Set(days.lazy.filter { $0.record != nil && !others.contains($0.day) }.map(\.day))
    }

    /// The days with a record, in ascending order.
    package var recordedInOrder: [Day] { days.compactMap { $0.record == nil ? nil : $0.day } }

    /// Why the record or the pictures of `day` could not be read; `nil` if all of them were read.
    ///
    /// The error may be that of the day's file, of its month, of its year, or of the whole `metadata/` or `pictures/`.
    package func readError(of day: Day) -> SystemError? {
        guard !unreadable.isEmpty else { return nil }
        return [Layout.metadata, Layout.pictures].lazy.compactMap { top in
            let month = Layout.folder(top, of: day)
            let start = "\(month)/\(day)"
            return unreadable[top] ?? unreadable[Layout.split(month).folder] ?? unreadable[month]
                ?? unreadable.first { $0.key.hasPrefix(start) }?.value
        }.first
    }

    /// An error because of which days may be missing here, from the month of `day` on; `nil` if there is none.
    package func readError(from day: Day) -> SystemError? { readErrors(from: day).first }

    /// All errors because of which days may be missing here, from the month of `day` on, in the order of their paths.
    package func readErrors(from day: Day) -> [SystemError] {
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
    package func hidesDays(of month: Month) -> Bool {
        unreadable.contains { path, error in
            "\(month)".hasPrefix(Self.period(of: path)) && Self.mayHideDays(path, error)
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

    /// All errors of records, pictures and videos, in the order of their paths, even if no day is missing because of them.
    package var readErrors: [SystemError] {
        unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Reading

    /// Lists the directories of `month`; returns the files of its days in ascending order, without the other items.
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

    /// The items in the directory at `path`; those whose status cannot be read are recorded in ``unreadable``.
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

    /// The names of the items in the directory at `path`, without the items that have a type in `excluded`.
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

    /// Whether `name` is a year between those of ``Day/first`` and ``Day/last``.
    private static func isYear(_ name: String) -> Bool {
        name.utf8.count == 4 && Int(name).map { 1995...2094 ~= $0 } ?? false
    }
}
