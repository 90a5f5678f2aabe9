package import APOD
package import Platform

/// The trash, `.apod-mirror/trash/`: removed favorites, which `favorites restore` brings back.
///
/// The directory `2026-11-21` has the favorites that were removed on that day. In it, `2026-11-20 favorite.json` is a record,
/// and `2026-11-20 favorite.jpg` is its picture.
extension Store {
    /// The number of days for which a removed favorite can be restored.
    package static let daysInTrash = 30

    /// The end of the names of a removed favorite's files, after the day and before the extension.
    private static let favoriteMark = " favorite."

    /// The name of a file of a removed favorite: `2026-11-20 favorite.jpg` for the day 2026-11-20 and the `ending` `.jpg`.
    package static func nameOfRemovedFavorite(_ day: Day, _ ending: some StringProtocol) -> String {
        "\(day)\(favoriteMark)\(ending.dropFirst())"
    }

    /// Deletes the favorites that were removed more than ``daysInTrash`` days before `today`, and directories that get empty.
    func emptyTrash(on today: Day) throws(SystemError) {
        // mutation test: removal-age (see Tests/Mutants)
        let isOver = { (date: Day) in date.distance(to: today) > Self.daysInTrash }
        for (dateOfRemoval, folder) in try trashFolders(where: isOver) {
            for name in try folder.textNames() where FileName.day(of: name) != nil {
                guard name.dropFirst(FileName.dayLength).hasPrefix(Self.favoriteMark),
                    try folder.status(name)?.kind == .file
                else { continue }
                try folder.remove(name)
            }
            guard try folder.names().isEmpty else { continue }
            try tree.root.removeDirectory("\(Layout.trash)/\(dateOfRemoval)")
        }
    }

    /// The sum of the sizes of all items in the trash, for `status`, even if an item is a hard link to a file elsewhere.
    package func trashBytes() throws(SystemError) -> Int {
        var bytes = 0
        for (_, folder) in try trashFolders() {
            for name in try folder.names() {
                bytes = bytes.addingSaturating(try folder.status(name)?.size ?? 0)
            }
        }
        return bytes
    }

    /// The directories in the trash with the dates of removal, the latest first; any other item there belongs to a person.
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
    /// Opens the directory in the trash for what is removed on `date`, and makes it if it is missing.
    package func makeTrashFolder(on date: Day) throws(SystemError) -> Directory {
        try root.makeDirectory("\(Layout.trash)/\(date)")
    }
}
