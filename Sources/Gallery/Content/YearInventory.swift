internal import APOD
internal import Mirror
internal import Platform

/// The days of one year in the tree, read from names and times only.
struct YearInventory: Sendable {
    /// The days with a record, newest first.
    let days: [Day]
    /// The days with a thumbnail.
    let thumbnails: Set<Day>
    /// Detects changes of the year.
    let fingerprint: YearFingerprint

    init(_ year: Int, in root: Directory) throws(SystemError) {
        let folders = try YearFolders(year, in: root)
        var fingerprint = YearFingerprint(folders: folders.digest, changed: folders.changed)
        var (days, thumbnails): ([Day], Set<Day>) = ([], [])
        for path in folders.paths {
            guard let folder = try YearFolders.fingerprint(of: path, in: root) else { continue }
            fingerprint.add(folder)
            let isRecords = path.hasPrefix(Layout.metadata)
            for name in folder.names where name.hasSuffix(isRecords ? ".json" : ".jpg") {
                guard let day = FileName.day(of: name), day.year == year,
                    name.utf8.count == (isRecords ? 15 : 14)
                else { continue }
                if isRecords { days.append(day) } else { thumbnails.insert(day) }
            }
        }
        self.days = days.sorted(by: >)
        self.thumbnails = thumbnails
        fingerprint.count = days.count
        fingerprint.newest = self.days.first
        fingerprint.oldest = self.days.last
        self.fingerprint = fingerprint
    }
}

/// The cached part of a ``YearInventory``, which detects changes of the year.
struct YearFingerprint: Hashable, Sendable {
    /// A digest of the directories, which changes when files are added or removed.
    let folders: UInt64
    /// A digest of the files, which changes with any of them.
    var files: UInt64 = 0
    /// The time of the last change in seconds since 1970.
    var changed = 0
    /// The number of days.
    var count = 0
    var newest: Day?
    var oldest: Day?

    fileprivate mutating func add(_ folder: DirectoryFingerprint) {
        files = (files ^ folder.digest) &* 0x100_0000_01b3
        changed = max(changed, folder.changed)
    }

    /// Whether the last change is old enough that no later change can have the same time.
    func isFinal(at now: Int) -> Bool { changed < now - 2 }
}

/// The directories of the months of a year that the gallery reads.
struct YearFolders {
    private(set) var paths: [String] = []
    private(set) var digest: UInt64 = 0
    private(set) var changed = 0

    init(_ year: Int, in root: Directory) throws(SystemError) {
        for top in [Layout.metadata, Layout.thumbnails] {
            guard let months = try Self.fingerprint(of: "\(top)/\(year)", in: root) else {
                continue
            }
            digest = (digest ^ months.digest) &* 0x100_0000_01b3
            changed = max(changed, months.changed)
            paths += months.names.filter { $0.utf8.count == 7 && $0.hasPrefix("\(year)") }
                .sorted().map { "\(top)/\(year)/\($0)" }
        }
    }

    /// Returns `nil` if the directory does not exist or the path is not a directory.
    fileprivate static func fingerprint(
        of path: String, in root: Directory
    ) throws(SystemError) -> DirectoryFingerprint? {
        do {
            return try root.fingerprint(of: path)
        } catch  where error.isNotDirectory {
            return nil
        }
    }
}
