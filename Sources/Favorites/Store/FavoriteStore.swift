package import APOD
internal import Glibc
internal import JSON
internal import MediaFormat
package import Mirror
package import Platform

/// Reads and writes the records and pins of favorites in `.apod-mirror/favorites/`.
///
/// The record of a day is `2026-11-20.json`. Its pin, `2026-11-20.jpg`, is a hard link to its picture or a
/// copy. The writer holds the lock of the tree. What ``write(_:)`` and ``FavoritePins`` write is durable after
/// ``flush()``; all other changes are durable when the call returns.
package struct FavoriteStore: Sendable {
    /// The path of the folder, relative to the root of the mirror.
    package static let folder = Layout.favoriteStore
    /// What follows the day in the name of a pin; copies by other programs have other names.
    static let pinEndings = Set(MediaType.allCases.map { ".\($0.fileExtension)"[...] })
    /// In bytes; a hundred of the longest names fit, even if each byte is escaped.
    private static let largestRecord = 4 << 20

    let tree: Tree

    package init(tree: Tree) { self.tree = tree }

    // MARK: Reading

    /// The records and pins as they are on the disk now, also after changes by others.
    ///
    /// Only records that have changed since `earlier` are read.
    package func book(after earlier: Book = Book()) throws(SystemError) -> Book {
        var book = Book()
        guard let folder = try tree.root.folder(Self.folder) else { return book }
        var days: [Day] = []
        for name in try folder.textNames() {
            guard let day = FileName.day(of: name) else { continue }
            // A thousand favorites are listed in each scan: no names are made to compare with.
            let ending = name.dropFirst(FileName.dayLength)
            if ending == ".json" {
                days.append(day)
            } else if Self.pinEndings.contains(ending) {
                book.pins[day] = min(name, book.pins[day] ?? name)
            }
        }
        let records = days.mapOnThreads { day in
            Result { () throws(SystemError) in
                try Self.record(of: day, in: folder, after: earlier)
            }
        }
        for (day, record) in zip(days, records) {
            do {
                guard let record = try record.get() else { continue }
                book.statuses[day] = record.status
                book.favorites[day] = record.favorite
                if record.favorite == nil { book.damaged.insert(day) }
            } catch {
                guard error.cause != .shortage, !error.isCancelled else { throw error }
                // The error says nothing about the favorite: what was known stays.
                book.favorites[day] = earlier.favorites[day]
                book.unreadable[day] = error
            }
        }
        return book
    }

    /// The status of the record's file, and what is in it, `nil` if it is damaged.
    ///
    /// - Returns: `nil` if another process has removed the record since its name was read.
    private static func record(
        of day: Day, in folder: Directory, after earlier: Book
    ) throws(SystemError) -> (status: FileStatus, favorite: Favorite?)? {
        let name = Layout.record(of: day)
        guard let status = try folder.status(name) else { return nil }
        if let known = earlier.favorites[day], earlier.statuses[day] == status {
            return (status, known)
        }
        return (status, try favorite(of: day, in: folder, as: name))
    }

    /// Reads a record; `nil` if there is none or it is damaged, such as by being too large.
    static func favorite(
        of day: Day, in folder: Directory, as name: String
    ) throws(SystemError) -> Favorite? {
        guard let bytes = try ifValid(folder.read(name, limit: largestRecord)) else { return nil }
        let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
        return favorite?.day == day ? favorite : nil
    }

    // MARK: Writing

    /// Writes the records of `favorites`, durable after ``flush()``.
    package func write(_ favorites: [Favorite]) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        var files = AtomicFileBatch(in: incoming)
        for favorite in favorites {
            let name = Layout.record(of: favorite.day)
            // The record of the day in `metadata/` has the same name.
            try files.add(favorite.json.document, as: name, prefix: "favorite \(name)")
        }
        try files.publish(in: folder)
    }

    /// Makes all records and pins durable by one fsync(2) of their directory; the files are flushed already.
    package func flush() throws(SystemError) {
        try tree.root.makeDirectory(Self.folder).flush()
    }

    /// Renames the damaged record of `day` to `2026-11-20.json.damaged`, or `2026-11-20.json.damaged 2` if that is taken.
    package func setAside(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        try folder.moveToFreeName(Array(Layout.record(of: day).utf8), in: folder) { name, number in
            name + Array(".damaged\(number == 1 ? "" : " \(number)")".utf8)
        }
    }
}

/// The records and pins of favorites, as one listing of `.apod-mirror/favorites/` shows them.
package struct Book: Sendable {
    package var favorites: [Day: Favorite] = [:]
    /// The names of the pins; if a day has several, the first by name.
    package var pins: [Day: String] = [:]
    /// The days whose record was read, and is none.
    package var damaged: Set<Day> = []
    /// The days whose record cannot be read now: it is neither replaced nor removed, and ``favorites`` has what was known.
    var unreadable: [Day: SystemError] = [:]
    /// The files of the records when they were read; `nil` for a record that this process has written since.
    var statuses: [Day: FileStatus] = [:]

    /// The days with a record, even a damaged one.
    package var days: Set<Day> { Set(favorites.keys).union(damaged).union(unreadable.keys) }

    /// The days of the favorites in each folder inside `favorites/`: `["trip/Norway": [2026-11-20]]`.
    package var collections: [String: Set<Day>] {
        favorites.reduce(into: [:]) { collections, entry in
            // Two names that are no UTF-8 can have the same text.
            for folder in entry.value.names.compactMap(\.folders.last) {
                collections[folder.recorded, default: []].insert(entry.key)
            }
        }
    }

    /// Adds what this process has written: the next ``FavoriteStore/book(after:)`` reads it again.
    mutating func insert(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        statuses[favorite.day] = nil
    }
}

// MARK: Requests of commands

/// Requests of commands to the daemon to forget favorites: one empty file each, such as `2026-11-20.forget`, in a folder
/// of the daemon's user.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// The days that commands asked to forget in the mirror at `root`.
    ///
    /// Files that this user may not examine are ignored.
    package static func forgetRequests(in root: Directory) -> Set<Day> {
        guard let folder = try? root.folder(Layout.requests) else { return [] }
        let names = (try? folder.textNames()) ?? []
        return Set(names.compactMap { FileName.day(of: $0) }).filter { day in
            (try? folder.status("\(day)\(requestEnding)"))??.kind == .file
        }
    }

    /// Asks to forget `day` in the next scan of this or another process.
    package func requestForget(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Layout.requests)
        try AtomicFile.publish([], in: folder, as: "\(day)\(Self.requestEnding)", through: folder)
    }

    package func removeForgetRequests(_ days: Set<Day>) throws(SystemError) {
        guard !days.isEmpty, let folder = try tree.root.folder(Layout.requests) else { return }
        for day in days { try folder.remove("\(day)\(Self.requestEnding)") }
        try folder.flush()
    }
}

// MARK: The last scan

/// The directory that was `favorites/` in the last full scan: `.apod-mirror/favorites/folder.json`.
package struct ScannedDirectory: Hashable, Codable, Sendable {
    package var place: DirectoryIdentity
    /// Given to the directory that is made if this one is missing.
    package var permissions: DirectoryPermissions?
}

extension FavoriteStore {
    static let directoryName = "folder.json"
    /// The path of a new `favorites/` until it has its links.
    static let newFolder = "\(folder)/new folder"

    /// The directory of the last full scan; `nil` if it is not known.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read now: without it, missing favorites would be held.
    package func lastScannedDirectory() throws(SystemError) -> ScannedDirectory? {
        try tree.state(at: "\(Self.folder)/\(Self.directoryName)")
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try AtomicFile.publish(
            directory.stateDocument, in: tree.root.makeDirectory(Self.folder),
            as: Self.directoryName, through: tree.root.makeDirectory(Layout.incoming))
    }
}
