package import APOD
package import Platform

/// The trash: removed favorites, which `favorites restore` brings back.
///
/// `.apod-mirror/trash/2026-11-21/2026-11-20 favorite.json` is the record of the favorite 2026-11-20, which was removed
/// on 2026-11-21. `2026-11-20 favorite.jpg` beside it is its pinned picture.
extension Store {
    package static let daysInTrash = 30

    private static let favoriteMark = " favorite."

    /// The name of a file of a removed favorite: of 2026-11-20 and `.jpg`, `2026-11-20 favorite.jpg`.
    package static func nameOfRemovedFavorite(_ day: Day, _ ending: some StringProtocol) -> String {
        "\(day)\(favoriteMark)\(ending.dropFirst())"
    }

    /// Deletes the favorites that were removed more than ``daysInTrash`` days ago, and their empty directories.
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

    /// The directories in the trash with the days of their names, newest first; any other item is a user's.
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
