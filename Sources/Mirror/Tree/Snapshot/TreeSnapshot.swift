package import APOD
package import Platform

/// The files of all days in the tree, by their names and sizes, as one walk over the directories found them.
///
/// A walk lists the directories of all months, and opens no file. The sync, the views, `status` and `verify` decide by the
/// snapshot what to do. It does not change when the tree changes; ``reread(_:in:)`` lists one month of it again.
///
/// ``TreeListing`` lists the directories. The extension +Errors says which days may be missing because of an error.
package struct TreeSnapshot: Hashable, Sendable {
    /// The days that have any file, in ascending order.
    package private(set) var days: [DayFiles] = []
    /// A digest for each month with files, of the names and sizes of its pictures and videos, and of which days have records.
    ///
    /// As long as it is the same, none of these has changed. A month has none if something in it could not be listed.
    private(set) var digests: [Month: Int] = [:]
    /// Why files and directories could not be read, by their paths.
    ///
    /// If a link or a file is in place of a directory, the error of its path is ``SystemError/isNotDirectory``.
    package private(set) var unreadable: [String: SystemError] = [:]
    private let scope: Scope

    /// How much a walk reads: on a slow disk, reading the status of a file takes as long as reading a small file.
    package enum Scope: Hashable, Sendable {
        /// The status of each file.
        case all
        /// The status of each file in `pictures/`; records and thumbnails are only listed: ``FileStamp/unread``.
        case media
        /// Only the names of the records, without the status.
        case records
    }

    // MARK: Walking

    /// Walks over the tree: lists the directories of all months below `root`, in two threads.
    ///
    /// - Throws: ``SystemError`` if the directory `metadata/` or `pictures/` itself cannot be read. A directory below them that
    ///   cannot be read is recorded in ``unreadable``, and only its own days are missing.
    package init(of root: Directory, _ scope: Scope = .all) throws(SystemError) {
        self.scope = scope
        var years = TreeListing(root: root, scope: scope)
        let months = try years.months()
        unreadable = years.unreadable
        let listings = months.sorted().mapOnTwoThreads { [years] month in
            var listing = years
            let days = listing.files(of: month)
            return (month, days, listing.unreadable)
        }
        days.reserveCapacity(31 * months.count)
        for (month, daysOfMonth, errors) in listings {
            days += daysOfMonth
            unreadable.merge(errors) { _, new in new }
            digests[month] = Self.digest(of: month, daysOfMonth, errors)
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
        for folder in scope.topFolders.map({ Layout.folder($0, of: month) }) {
            unreadable = unreadable.filter { path, _ in
                path != folder && !path.hasPrefix("\(folder)/")
            }
        }
        var listing = TreeListing(root: root, scope: scope, unreadable: unreadable)
        let newFiles = listing.files(of: month)
        unreadable = listing.unreadable
        digests[month] = Self.digest(of: month, newFiles, unreadable)

        let daysOfMonth = month.days
        let start = index(of: month.first)
        let oldCount = days[start...].prefix { daysOfMonth.contains($0.day) }.count
        days.replaceSubrange(start..<start + oldCount, with: newFiles)
    }

    /// The digest of `month`, which has these `days`; `nil` if it has none, or if one of `errors` may hide some of its files.
    private static func digest(
        of month: Month, _ days: [DayFiles], _ errors: [String: SystemError]
    ) -> Int? {
        guard !days.isEmpty, !hidesDays(of: month, errors) else { return nil }
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

    // MARK: The days

    /// The files of `day`; `nil` if it has none.
    package subscript(day: Day) -> DayFiles? {
        let position = index(of: day)
        return position < days.count && days[position].day == day ? days[position] : nil
    }

    /// The index of `day` in ``days``, or of the first later day; found by a binary search.
    private func index(of day: Day) -> Int {
        var range = 0..<days.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if days[middle].day < day {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    /// The days whose files have a property such as `\.hasMedia`.
    package func days(where isIncluded: (DayFiles) -> Bool) -> Set<Day> {
        var included = Set<Day>(minimumCapacity: days.count)
        for files in days where isIncluded(files) { included.insert(files.day) }
        return included
    }

    /// The days with a record.
    package var recorded: Set<Day> { days(where: { $0.record != nil }) }

    /// The days with a record, in ascending order.
    package var recordedInOrder: [Day] { days.compactMap { $0.record == nil ? nil : $0.day } }
}
