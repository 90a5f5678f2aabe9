package import APOD
internal import Glibc
internal import JSON
package import Mirror
package import Platform

/// The records of favorites in `.apod-mirror/favorites/`, each with its pinned picture beside it.
///
/// The writer holds the lock of the tree. Changes are durable when a call returns; records and pins are
/// durable after ``flush()``.
package struct FavoriteStore: Sendable {
    package static let folder = Layout.favoriteStore

    let tree: Tree

    package init(tree: Tree) { self.tree = tree }

    /// All that is stored about favorites.
    package struct Contents: Sendable {
        package var favorites: [Day: Favorite] = [:]
        /// The names of the pinned pictures; of several of a day, the first by name.
        package var pins: [Day: String] = [:]
        /// The removed favorites that are in the trash.
        package var removed: [Day: Favorite] = [:]
        /// The days whose record cannot be read.
        package var damaged: Set<Day> = []
    }

    // MARK: Reading

    package func contents() throws(SystemError) -> Contents {
        var contents = Contents()
        guard let folder = try tree.root.folder(Self.folder) else { return contents }
        contents.removed = (try? removedFavorites()) ?? [:]
        for name in try folder.names() {
            guard let day = FileName.day(of: name) else { continue }
            let record = Layout.record(of: day)
            if name.elementsEqual(record.utf8) {
                if let favorite = try Self.favorite(of: day, in: folder, as: record) {
                    contents.favorites[day] = favorite
                } else {
                    contents.damaged.insert(day)
                }
            } else if Self.isPin(name, of: day) {
                let pin = String(decoding: name, as: UTF8.self)
                contents.pins[day] = min(pin, contents.pins[day] ?? pin)
            }
        }
        return contents
    }

    /// What follows the day in the name of a pin; files that other programs leave have more.
    private static let pinEndings = MediaType.allCases.map { ".\($0.fileExtension)" }

    private static func isPin(_ name: [UInt8], of day: Day) -> Bool {
        let ending = name.dropFirst("\(day)".utf8.count)
        return pinEndings.contains { ending.elementsEqual($0.utf8) }
    }

    static func pinNames(of day: Day) -> [String] { pinEndings.map { "\(day)\($0)" } }

    /// The name of the pin of the picture at `path`; `nil` if the path has another extension.
    static func pin(of day: Day, for path: String) -> String? {
        pinEndings.first(where: path.hasSuffix).map { "\(day)\($0)" }
    }

    /// The names of all pinned pictures of `day` in `folder`, without a listing of it.
    static func pins(of day: Day, in folder: Directory) throws(SystemError) -> [String] {
        var pins: [String] = []
        for name in pinNames(of: day) where try folder.status(name) != nil { pins.append(name) }
        return pins
    }

    /// The days with a record, even a damaged one.
    package func days() throws(SystemError) -> Set<Day> {
        let names = try tree.root.folder(Self.folder)?.textNames() ?? []
        return Set(
            names.compactMap { name in
                FileName.day(of: name).flatMap { Layout.record(of: $0) == name ? $0 : nil }
            })
    }

    /// The days of the favorites in each folder inside `favorites/`, by its path there.
    package func collections() throws(SystemError) -> [String: Set<Day>] {
        try contents().favorites.reduce(into: [:]) { collections, entry in
            for name in entry.value.names {
                guard let folder = name.folders.last else { continue }
                // Two names that are no UTF-8 can have the same text.
                let path = folder.isText ? folder.text : folder.escaped
                collections[path, default: []].insert(entry.key)
            }
        }
    }

    /// Reads a record; `nil` if there is none or it is damaged.
    static func favorite(
        of day: Day, in folder: Directory, as name: String
    ) throws(SystemError) -> Favorite? {
        do {
            guard let bytes = try folder.read(name, limit: 1 << 20) else { return nil }
            let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
            return favorite?.day == day ? favorite : nil
        } catch {
            // Files that are too large, unreadable or no files count as damaged, too.
            guard error.isInvalidFile || error.code == EACCES || error.code == EIO else {
                throw error
            }
            return nil
        }
    }

    // MARK: Writing

    /// Writes the records of `favorites`, durable after ``flush()``.
    package func write(_ favorites: [Favorite]) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        var files = AtomicFileBatch(expecting: favorites.count, in: incoming)
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

    /// Renames the record of `day`, which cannot be read, to `….json.damaged`.
    package func setAside(_ day: Day) throws(SystemError) {
        try setAside(Layout.record(of: day), in: tree.root.makeDirectory(Self.folder))
    }

    private func setAside(_ name: String, in folder: Directory) throws(SystemError) {
        try folder.rename(name, to: folder, as: "\(name).damaged")
        try folder.flush()
    }

    /// Publishes a small file; a directory of its name is renamed to `….damaged`.
    func publish(_ bytes: [UInt8], in folder: Directory, as name: String) throws(SystemError) {
        if try folder.status(name)?.kind == .directory { try setAside(name, in: folder) }
        try AtomicFile.publish(
            bytes, in: folder, as: name, through: tree.root.makeDirectory(Layout.incoming))
    }
}
