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

    let tree: Tree

    package init(tree: Tree) { self.tree = tree }

    /// Writes the records of `favorites`, durable after ``flush()``.
    package func write(_ favorites: [Favorite]) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        var files = AtomicFileBatch(in: incoming)
        for favorite in favorites {
            let name = Layout.record(of: favorite.day)
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
        try folder.moveToFreeName(Array(Layout.record(of: day).utf8), in: folder) { name, number in
            name + Array(".damaged\(number == 1 ? "" : " \(number)")".utf8)
        }
    }
}
