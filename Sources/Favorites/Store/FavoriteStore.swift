package import APOD
internal import FoundationEssentials
internal import Glibc
internal import JSON
package import Mirror
package import Platform

/// What is kept of the favorites in `.apod-mirror/favorites/`: a record a favorite, and its pinned
/// picture beside it.
///
/// Whoever writes holds the lock of the tree. Every call returns once its work is on the disk, but for
/// the records of favorites, which are there after ``settle()``.
package struct FavoriteStore: Sendable {
    package static let folder = Layout.own + "/favorites"
    /// Where a command leaves what the daemon is to do: `2026-11-20.forget`.
    package static let requests = Layout.own + "/requests"

    let tree: Tree
    private static let identityName = "folder.json"

    package init(tree: Tree) {
        self.tree = tree
    }

    /// What lies in the store.
    package struct Contents: Sendable {
        package var favorites: [Day: Favorite] = [:]
        /// The names of the pinned pictures.
        package var pins: [Day: String] = [:]
        /// The days whose record is there and cannot be read.
        package var damaged: Set<Day> = []
    }

    /// Reads everything and changes nothing.
    package func contents() throws(SystemError) -> Contents {
        var contents = Contents()
        guard let folder = try tree.root.folder(Self.folder) else { return contents }
        let days = contents.takePins(try folder.names())
        contents.take(
            try days.map { day throws(SystemError) in
                (day, try Self.favorite(of: day, in: folder))
            })
        return contents
    }

    /// The days whose record is there, told by the names alone.
    package func days() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Self.folder) else { return [] }
        return Set(
            try folder.textNames().filter { $0.utf8.count == 15 && $0.hasSuffix(".json") }
                .compactMap { FileName.day(of: $0) })
    }

    /// The days of the favorites in each folder inside `favorites/`, by its path there.
    package func collections() throws(SystemError) -> [String: Set<Day>] {
        try contents().favorites.reduce(into: [:]) { collections, entry in
            for name in entry.value.names where !name.folders.isEmpty {
                let folder = name.folders.map { String(decoding: $0, as: UTF8.self) }
                collections[folder.joined(separator: "/"), default: []].insert(entry.key)
            }
        }
    }

    /// What is recorded of `day`, `nil` where it cannot be read.
    static func favorite(of day: Day, in folder: Directory) throws(SystemError) -> Favorite? {
        do {
            guard let bytes = try folder.read(record(of: day), limit: 1 << 20) else { return nil }
            let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
            return favorite?.day == day ? favorite : nil
        } catch {
            // Longer than any record, no file, or somebody else's: damaged all the same.
            guard error.isDamage || error.code == EACCES || error.code == EIO else { throw error }
            return nil
        }
    }

    static func record(of day: Day) -> String { "\(day).json" }

    /// Writes the records of `favorites`: they last from the next ``settle()`` on.
    package func save(_ favorites: [Favorite]) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        var rest = favorites[...]
        while !rest.isEmpty {
            var drafts = AtomicFileBatch(min(rest.count, Self.atOnce), in: incoming)
            for favorite in rest.prefix(Self.atOnce) {
                let name = Self.record(of: favorite.day)
                try drafts.add(favorite.json.document, as: name, draft: Self.draft(name))
            }
            try drafts.publish(in: folder)
            rest = rest.dropFirst(Self.atOnce)
        }
    }

    /// So many records are written before they get their names: what no longer fits on a full disk is
    /// no more than these.
    private static let atOnce = 1000

    /// Forces the names of all records and pins onto the disk.
    package func settle() throws(SystemError) {
        try tree.root.makeDirectory(Self.folder).synchronize()
    }

    /// The record of the day itself has the same name: drafts of the two must not meet.
    private static func draft(_ name: String) -> String { "favorite \(name)" }

    /// Keeps a record that cannot be read beside the one that takes its place.
    package func setAside(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        try folder.rename(
            Self.record(of: day), to: folder, as: "\(Self.record(of: day)).damaged")
        try folder.synchronize()
    }

    // MARK: The identity of favorites/

    /// The folder that was looked at last.
    package struct LastFolder: Hashable, Sendable {
        package var place: DirectoryIdentity
        /// Who may write there: given to the folder that is made in its place.
        package var permissions: DirectoryAccess?
    }

    /// The folder that was looked at last, `nil` where that is not known.
    package func lastFolder() -> LastFolder? {
        let bytes = try? tree.root.read("\(Self.folder)/\(Self.identityName)", limit: 1 << 20)
        return bytes.flatMap { try? JSON(parsing: $0) }.flatMap(LastFolder.init)
    }

    package func save(_ folder: LastFolder) throws(SystemError) {
        try publish(folder.json, in: Self.folder, as: Self.identityName)
    }

    func publish(_ json: JSON, in path: String, as name: String) throws(SystemError) {
        let folder = try tree.root.makeDirectory(path)
        let draft = try AtomicFile(Self.draft(name), in: tree.root.makeDirectory(Layout.incoming))
        try draft.write(json.document)
        try draft.publish(in: folder, as: name)
    }
}

extension FavoriteStore.Contents {
    /// Takes the names of the pins among all that are there.
    ///
    /// - Returns: The days that have a record.
    fileprivate mutating func takePins(_ names: [[UInt8]]) -> [Day] {
        let record = Array(".json".utf8)
        var days: [Day] = []
        for name in names {
            guard let day = FileName.day(of: name) else { continue }
            let ending = name.dropFirst(10)
            if ending.elementsEqual(record) {
                days.append(day)
            } else if ending.first == UInt8(ascii: "."), !ending.starts(with: record) {
                pins[day] = String(validating: name, as: UTF8.self)
            }
        }
        return days
    }

    fileprivate mutating func take(_ records: [(Day, Favorite?)]) {
        for (day, favorite) in records {
            if let favorite { favorites[day] = favorite } else { damaged.insert(day) }
        }
    }
}
