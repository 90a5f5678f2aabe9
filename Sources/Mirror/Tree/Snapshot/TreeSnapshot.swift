package import APOD
package import Platform

/// What the tree holds: one entry a day, by the names and the status of its files.
///
/// A value shows one state of the tree, however long the work with it takes. One walk over the directories of the
/// months makes it, for a sync, the views, `status` and `verify`; ``reread(_:in:)`` lists one month of it again.
package struct TreeSnapshot: Hashable, Sendable {
    /// The days with any file, in ascending order.
    package private(set) var days: [DayFiles] = []
    /// For each month with files: which days have a record, and the names and sizes of their pictures and videos.
    ///
    /// A month of which something could not be listed has none.
    private(set) var digests: [Month: Int] = [:]
    /// Why files and directories cannot be read, by path; with `isNotDirectory`, something else is in place of a
    /// directory.
    package private(set) var unreadable: [String: SystemError] = [:]

    /// The directories that have a directory for each month.
    package static let topFolders = [Layout.metadata, Layout.pictures, Layout.thumbnails]

    /// What a walk reads: on a slow disk, each status takes as long as a file.
    package enum Scope: Hashable, Sendable {
        /// The status of all files.
        case all
        /// The status of what is in `pictures/`; of records and thumbnails the names, which ``FileStamp/unread`` shows.
        case media
        /// The names in `metadata/`.
        case records
    }

    private let scope: Scope

    /// Those of ``topFolders`` that are listed.
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

    /// Lists the directories of the month of `day` again, after a change of its files; a month stays unreadable if a
    /// directory above it is: only a new walk reads that.
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

    /// The files of `day`; `nil` if there is none.
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

    /// The items in the directory at `path`; those without a status are added to ``unreadable``.
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

    /// The names in the directory at `path`, except those of items of the types `excluded`.
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
