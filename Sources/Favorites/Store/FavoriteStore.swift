package import APOD
internal import JSON
package import Mirror
package import Platform

/// The folder `.apod-mirror/favorites/`, in which the daemon keeps the records and pins of favorites.
///
/// The record of a day is `2026-11-20.json`. Its pin, `2026-11-20.jpg`, is a hard link to the picture of the day, or a copy,
/// which stays when the mirror loses the picture. Only a process that holds the lock of the mirror writes here. What
/// ``write(_:)`` and ``FavoritePins`` write is durable after ``flush()``; all other changes are durable when the call returns.
package struct FavoriteStore: Sendable {
    /// The path of the folder, relative to the root of the mirror.
    package static let folder = Layout.favoriteStore

    /// The path of the pin with this name, relative to the root of the mirror.
    static func path(ofPin name: String) -> String { "\(folder)/\(name)" }

    let tree: Tree

    package init(tree: Tree) { self.tree = tree }

    /// Writes the records of `favorites`, durable after ``flush()``.
    package func write(_ favorites: [Favorite]) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        var files = AtomicFileBatch(in: incoming)
        for favorite in favorites {
            let name = Layout.recordName(of: favorite.day)
            // The prefix differs from that of the day's own record, which has the same name in `metadata/`.
            try files.add(favorite.json.document, as: name, prefix: "favorite \(name)")
        }
        try files.publish(in: folder)
    }

    /// Makes all records and pins durable by one fsync(2) of their names; the contents were flushed before.
    package func flush() throws(SystemError) {
        try tree.root.makeDirectory(Self.folder).flush()
    }

    /// Renames the damaged record of `day` to `2026-11-20.json.damaged`, or `2026-11-20.json.damaged 2` if that is taken.
    package func setAside(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        try folder.moveToFreeName(Array(Layout.recordName(of: day).utf8), in: folder) {
            name, number in
            name + Array(".damaged\(number == 1 ? "" : " \(number)")".utf8)
        }
    }

    /// What was found at the path of a record.
    private enum RecordFile {
        case valid(Favorite, FileStatus)
        /// It was read completely, but is no valid record, or it is too large.
        case damaged
        /// Another process has removed the record since its name was read.
        case absent
    }

    /// The days of the files in the folder, by their names.
    private struct FileNames {
        private(set) var daysOfRecords: [Day] = []
        /// The names of the pins, as ``StoredFavorites`` has them.
        private(set) var pins: [Day: String] = [:]

        init(_ names: [String]) {
            for name in names {
                guard let day = FileName.day(of: name) else { continue }
                // Only the ending is compared: this runs for thousands of names in each scan, and makes no string for each.
                let ending = name.dropFirst(FileName.dayLength)
                if ending == ".json" {
                    daysOfRecords.append(day)
                } else if Layout.pinEndings.contains(ending) {
                    pins[day] = min(name, pins[day] ?? name)
                }
            }
        }
    }

    /// In bytes; a hundred of the longest names fit, even if each byte is escaped.
    private static let maximumLength = 4 << 20

    /// Reads the records and pins as they are on the disk now; a record that has not changed since `earlier` is not read again.
    package func storedFavorites(
        updating earlier: StoredFavorites = StoredFavorites()
    ) throws(SystemError) -> StoredFavorites {
        guard let folder = try tree.root.folder(Self.folder) else { return StoredFavorites() }
        let names = FileNames(try folder.textNames())
        let records = names.daysOfRecords.mapOnTwoThreads { day in
            Result { () throws(SystemError) in
                try Self.recordFile(of: day, in: folder, updating: earlier)
            }
        }
        var stored = StoredFavorites(pins: names.pins)
        for (day, record) in zip(names.daysOfRecords, records) {
            switch record {
            case .success(.valid(let favorite, let status)):
                stored.favorites[day] = favorite
                stored.statuses[day] = status
            case .success(.damaged): stored.damaged.insert(day)
            case .success(.absent): break
            case .failure(let error):
                guard !error.concernsEveryFile else { throw error }
                // The error says nothing about the favorite, so that it stays as it was known.
                stored.favorites[day] = earlier.favorites[day]
                stored.unreadable[day] = error
            }
        }
        return stored
    }

    private static func recordFile(
        of day: Day, in folder: Directory, updating earlier: StoredFavorites
    ) throws(SystemError) -> RecordFile {
        let name = Layout.recordName(of: day)
        guard let status = try folder.status(name) else { return .absent }
        if let known = earlier.favorites[day], earlier.statuses[day] == status {
            return .valid(known, status)
        }
        if let favorite = try favorite(of: day, in: folder, as: name) {
            return .valid(favorite, status)
        }
        return try folder.status(name) == nil ? .absent : .damaged
    }

    /// Reads the record `name`; `nil` if there is none, or if it is damaged or too large.
    static func favorite(
        of day: Day, in folder: Directory, as name: String
    ) throws(SystemError) -> Favorite? {
        guard let bytes = try ifValid(folder.read(name, limit: maximumLength)) else { return nil }
        let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
        return favorite?.day == day ? favorite : nil
    }
}
