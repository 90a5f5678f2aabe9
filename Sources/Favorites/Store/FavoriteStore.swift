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

    let tree: Tree

    package init(tree: Tree) { self.tree = tree }

    // MARK: Records

    /// The records and pins as they are on the disk now.
    ///
    /// Only records that have changed since `earlier` are read: so what anybody damages, deletes or edits is seen.
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
            Result { () throws(SystemError) -> (status: FileStatus, favorite: Favorite?)? in
                let name = Layout.record(of: day)
                // One that is gone was removed by another process since its name was read.
                guard let status = try folder.status(name) else { return nil }
                if let known = earlier.favorites[day], earlier.statuses[day] == status {
                    return (status, known)
                }
                return (status, try Self.favorite(of: day, in: folder, as: name))
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
                // It says nothing: what was known stays.
                book.favorites[day] = earlier.favorites[day]
                book.unreadable[day] = error
            }
        }
        return book
    }

    /// In bytes; a hundred of the longest names fit, even if each byte is escaped.
    private static let largestRecord = 4 << 20

    /// Reads a record; `nil` if there is none or it is damaged, such as by being too large: it is renamed then.
    static func favorite(
        of day: Day, in folder: Directory, as name: String
    ) throws(SystemError) -> Favorite? {
        guard let bytes = try ifValid(folder.read(name, limit: largestRecord)) else { return nil }
        let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
        return favorite?.day == day ? favorite : nil
    }

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

    /// Renames the record of `day`, which is damaged, to `….json.damaged`, with a number if that is taken.
    package func setAside(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        try folder.moveToFreeName(Array(Layout.record(of: day).utf8), in: folder) { name, number in
            name + Array(".damaged\(number == 1 ? "" : " \(number)")".utf8)
        }
    }

    /// What follows the day in the name of a pin; its copies by other programs have others.
    static let pinEndings = Set(MediaType.allCases.map { ".\($0.fileExtension)"[...] })
}
