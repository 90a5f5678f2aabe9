package import APOD
package import Platform

/// The trash, `.apod-mirror/trash/2026-11-21/`: removed favorites, in a directory for each day of removal.
///
/// All names start with the day of the picture: the record and the pinned picture of a removed favorite are
/// `2026-11-20 favorite.json` and `2026-11-20 favorite.jpg`. What `--keep` removes is deleted: NASA has it.
extension Store {
    /// How many days a removed favorite stays in the trash.
    package static let daysInTrash = 30

    private static let favoriteMark = " favorite."

    /// The name of a file of a removed favorite; `ending` is its extension with the dot.
    package static func nameOfRemovedFavorite(_ day: Day, _ ending: some StringProtocol) -> String {
        "\(day)\(favoriteMark)\(ending.dropFirst())"
    }

    /// Deletes removed favorites that have been in the trash for more than ``daysInTrash`` days, and empty directories.
    func emptyTrash(on today: Day) throws(SystemError) {
        // mutation test: removal-age
        let isOver = { (removed: Day) in removed.distance(to: today) > Self.daysInTrash }
        for (removed, folder) in try trashFolders(where: isOver) {
            for name in try folder.textNames() where FileName.day(of: name) != nil {
                guard name.dropFirst(FileName.dayLength).hasPrefix(Self.favoriteMark),
                    try folder.status(name)?.kind == .file
                else { continue }
                try folder.remove(name)
            }
            guard try folder.names().isEmpty else { continue }
            try tree.root.removeFolder("\(Layout.trash)/\(removed)")
        }
    }

    /// The bytes of all items in the trash, for `status`; some may be hard links to files elsewhere.
    package func trashBytes() throws(SystemError) -> Int {
        var bytes = 0
        for (_, folder) in try trashFolders() {
            for name in try folder.names() {
                bytes = bytes.addingSaturating(try folder.status(name)?.size ?? 0)
            }
        }
        return bytes
    }

    /// The directories in the trash by the days of their names, the newest first; any other item is a user's.
    package func trashFolders(
        where isIncluded: (Day) -> Bool = { _ in true }
    ) throws(SystemError) -> [(date: Day, folder: Directory)] {
        var folders: [(date: Day, folder: Directory)] = []
        for name in try tree.root.textNames(in: Layout.trash).sorted(by: >) {
            guard let date = Day(iso: name), isIncluded(date) else { continue }
            let path = "\(Layout.trash)/\(name)"
            guard try tree.root.status(path)?.kind == .directory,
                let folder = try tree.root.folder(path)
            else { continue }
            folders.append((date, folder))
        }
        return folders
    }
}

extension Tree {
    /// Makes the directory for what is removed on `date`, if it is missing.
    package func makeTrashFolder(on date: Day) throws(SystemError) -> Directory {
        try root.makeDirectory("\(Layout.trash)/\(date)")
    }
}
