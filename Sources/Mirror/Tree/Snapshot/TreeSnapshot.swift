package import APOD
package import Platform

/// What the tree holds: one entry a day, by the names and the status of its files.
///
/// It is a value: the code that holds one sees one state of the tree, however long its work takes. One walk
/// over the directories of the months makes it, and ``reread(_:in:)`` brings it up to date.
package struct TreeSnapshot: Hashable, Sendable {
    /// The days with any file, in ascending order.
    package private(set) var days: [DayFiles] = []
    /// What is there and is no file of a day: foreign names, links, directories in place of files.
    package private(set) var others: [OtherItem] = []
    /// Why directories and single files cannot be read, by path; also directories in whose place something else is.
    package private(set) var unreadable: [String: SystemError] = [:]

    /// The directories that have a directory for each month.
    package static let tops = [Layout.metadata, Layout.pictures, Layout.thumbnails]

    /// Lists the directories of all months below `root`, and opens no file.
    ///
    /// - Throws: ``SystemError`` if `metadata/` or `pictures/` cannot be read; an unreadable directory inside
    ///   affects only its own days.
    package init(of root: Directory) throws(SystemError) {
        var months: Set<String> = []
        for top in Self.tops {
            for year in list(top, in: root) {
                guard let name = year.text, Self.isYear(name) else {
                    others.append(OtherItem(year, in: top))
                    continue
                }
                let folder = "\(top)/\(name)"
                for month in list(folder, in: root) {
                    if let month = month.text, Self.isMonth(month, of: name) {
                        months.insert(month)
                    } else {
                        others.append(OtherItem(month, in: folder))
                    }
                }
            }
            guard let error = unreadable[top] else { continue }
            guard top == Layout.thumbnails || error.isNotDirectory else { throw error }
        }
        days.reserveCapacity(31 * months.count)
        for month in months.sorted() { days += files(of: month, in: root) }
    }

    /// Lists the directories of the month of `day` again, after a change of its files.
    package mutating func reread(_ day: Day, in root: Directory) {
        let month = String("\(day)".prefix(7))
        for top in Self.tops {
            let folder = Self.folder(top, of: month)
            unreadable = unreadable.filter { !$0.key.hasPrefix(folder) }
        }
        others.removeAll { $0.month == month }
        let first = day.advanced(by: 1 - day.day)
        // No month has more than 31 days.
        let next = first.advanced(by: 31)
        let range = index(of: first)..<index(of: next.advanced(by: 1 - next.day))
        days.replaceSubrange(range, with: files(of: month, in: root))
    }

    /// The files of `day`; `nil` if there is none.
    package subscript(day: Day) -> DayFiles? {
        let index = index(of: day)
        return index < days.count && days[index].day == day ? days[index] : nil
    }

    /// The position of the first day that is not before `day`.
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

    // MARK: Reading

    /// The files of the days of `month` in ascending order; what else is there is added to ``others``.
    private mutating func files(of month: String, in root: Directory) -> [DayFiles] {
        var days: [Day: DayFiles] = [:]
        for top in Self.tops {
            let folder = Self.folder(top, of: month)
            let year = Layout.split(folder).folder
            guard unreadable[top] ?? unreadable[year] == nil else { continue }
            for item in list(folder, in: root) {
                if let name = item.text, name.hasPrefix(month), let day = FileName.day(of: name) {
                    var files = days[day] ?? DayFiles(day: day)
                    if files.add(name, item.status, in: top, folder) {
                        days[day] = files
                        continue
                    }
                }
                others.append(OtherItem(item, in: folder, of: month))
            }
        }
        return days.values.sorted { $0.day < $1.day }
    }

    /// The items in the directory at `path`, sorted by name.
    private mutating func list(_ path: String, in root: Directory) -> [DirectoryItem] {
        do throws(SystemError) {
            var failed: [String: SystemError] = [:]
            let items = try root.items(in: path) { name, error in
                failed["\(path)/\(String(decoding: name, as: UTF8.self))"] = error
            }
            unreadable.merge(failed) { $1 }
            return (items ?? []).sorted { $0.name.lexicographicallyPrecedes($1.name) }
        } catch {
            unreadable[path] = error
            return []
        }
    }

    private static func isYear(_ name: String) -> Bool {
        name.utf8.count == 4 && Int(name).map { 1995...2094 ~= $0 } ?? false
    }

    private static func isMonth(_ name: String, of year: String) -> Bool {
        name.utf8.count == 7 && name.hasPrefix("\(year)-")
            && Int(name.suffix(2)).map { 1...12 ~= $0 } ?? false
    }

    static func folder(_ top: String, of month: String) -> String {
        "\(top)/\(month.prefix(4))/\(month)"
    }
}

// MARK: Files

extension TreeSnapshot {
    /// The files of one day.
    package struct DayFiles: Hashable, Sendable {
        package let day: Day
        /// Also of a link in place of a record, which is a damaged record.
        package private(set) var record: FileStamp?
        /// The files in `pictures/` whose names begin with the day, in the order of their names.
        package private(set) var media: [MediaFile] = []
        package private(set) var thumbnail: FileStamp?

        /// Adds the item `name` in the directory `folder` below `top`; returns whether it is a file of the day.
        fileprivate mutating func add(
            _ name: String, _ status: FileStatus, in top: String, _ folder: String
        ) -> Bool {
            let rest = name.dropFirst(10)
            switch top {
            case Layout.metadata:
                guard rest == ".json", status.kind != .directory else { return false }
                record = FileStamp(status)
            case Layout.thumbnails:
                guard rest == ".jpg", status.kind != .directory else { return false }
                thumbnail = FileStamp(status)
            default:
                guard rest.hasPrefix(" "), status.kind == .file else { return false }
                media.append(MediaFile(path: "\(folder)/\(name)", stamp: FileStamp(status)))
            }
            return true
        }
    }

    /// A regular file in `pictures/`.
    package struct MediaFile: Hashable, Sendable {
        /// Relative to the root.
        package let path: String
        package let stamp: FileStamp

        /// By the extension; `nil` for the page of a video, a sidecar, and what a user keeps there.
        package var type: MediaType? { MediaType(ofName: path) }
    }

    /// What is no file of a day.
    package struct OtherItem: Hashable, Sendable {
        /// Relative to the root, of any bytes.
        package let path: [UInt8]
        /// The month in whose directory it is, such as `2026-11`.
        package let month: String?
        package let kind: FileStatus.FileType
        package let size: Int

        fileprivate init(_ item: DirectoryItem, in folder: String, of month: String? = nil) {
            self.month = month
            path = Array("\(folder)/".utf8) + item.name
            kind = item.status.kind
            size = item.status.size
        }
    }

    /// What changes when a file is edited or replaced.
    package struct FileStamp: Hashable, Sendable {
        package let size: Int
        /// The time since 1970.
        package let modified: Duration
        package let identity: FileIdentity

        package init(_ status: FileStatus) {
            size = status.size
            modified = status.exactlyModified
            identity = status.identity
        }
    }
}

extension TreeSnapshot.DayFiles {
    /// The paths of all files, relative to the root.
    package var paths: [String] {
        [record.map { _ in Layout.recordPath(of: day) }].compactMap(\.self) + media.map(\.path)
            + [thumbnail.map { _ in Layout.thumbnail(of: day) }].compactMap(\.self)
    }

    /// The pictures, of which one may be the poster of a video, and others a user's.
    package var pictures: [TreeSnapshot.MediaFile] { media.filter { $0.type?.isPicture == true } }

    /// Whether there is more than a user's own files.
    package var isMirrored: Bool { record != nil || hasMedia || thumbnail != nil }

    /// Whether there is a picture or a video.
    package var hasMedia: Bool { media.contains { $0.type != nil } }

    /// Whether there is a picture of a type that has thumbnails.
    package var isIllustrated: Bool { media.contains { $0.type?.hasThumbnail == true } }

    /// The bytes of pictures and videos.
    package var mediaBytes: Int {
        media.lazy.filter { $0.type != nil }.map(\.stamp.size).saturatingSum()
    }
}
