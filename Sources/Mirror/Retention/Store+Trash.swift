package import APOD
internal import Glibc
package import Platform

/// The trash, `.apod-mirror/trash/2026-11-21/`: a directory for each day of removal.
///
/// ``DayPublisher`` moves what `--keep` removes there and back; the module of favorites adds removed favorites. All
/// names start with the day of the picture; the stem of a thumbnail is the day alone. The record and the pinned
/// picture of a removed favorite are `2026-11-20 favorite.json` and `2026-11-20 favorite.jpg`.
extension Store {
    /// How many days a removed file stays in the trash.
    package static let daysInTrash = 7
    /// How many days a removed favorite, which takes next to no space, stays there.
    package static let daysOfFavoritesInTrash = 30

    private static let favoriteMark = " favorite."

    /// The name of a file of a removed favorite; `ending` is its extension with the dot.
    package static func nameOfRemovedFavorite(_ day: Day, _ ending: some StringProtocol) -> String {
        "\(day)\(favoriteMark)\(ending.dropFirst())"
    }

    /// Moves the files that `record` marks as removed to the trash, with their redirect page, sidecar and
    /// thumbnail, and links to the picture; does nothing with those that are there already.
    package func moveToTrash(_ record: DayRecord) throws(SystemError) {
        guard let removed = record.removed else { return }
        let day = record.entry.day
        let media = DayRecord.FileKind.allCases.compactMap { record.removedFile($0)?.path }
        let others = [
            record.picture.map { $0.path + Layout.sidecarExtension }, record.page,
            Layout.thumbnail(of: day),
        ].compactMap(\.self)
        let links = try links(of: day, to: media.map { Layout.split($0).name })
        var present: [String] = []
        for path in media + others + links {
            if let status = try tree.root.status(path), status.kind != .directory {
                present.append(path)
            }
        }
        guard !present.isEmpty else { return }
        // Somebody edited the date to one outside of the archive: by the last day of all, the files stay in the trash.
        let trash = try tree.makeTrashFolder(on: Day(utcDateOf: removed) ?? .last)
        for path in present {
            let name = Layout.split(path).name
            try vacate(name, in: trash, for: path)
            try tree.root.rename(path, to: trash, as: name)
        }
        try trash.flush()
        for path in Set(present.map { Layout.split($0).folder }) {
            try tree.root.folder(path)?.flush()
        }
    }

    /// Makes `name` in `trash` free for the file at `path`.
    ///
    /// Another file there gets a number. A link, or a second name of the file itself, is removed; for a directory,
    /// `remove` throws.
    private func vacate(
        _ name: String, in trash: Directory, for path: String
    ) throws(SystemError) {
        guard let old = try trash.status(name) else { return }
        // rename(2) does nothing if both names are links to one file.
        let new = try tree.root.status(path)
        if old.kind != .file || old.identity == new?.identity { return try trash.remove(name) }
        try trash.moveToFreeName(Array(name.utf8), in: trash) {
            let day = $0.prefix(FileName.dayLength)
            return day + Array(" \($1)".utf8) + $0.dropFirst(FileName.dayLength)
        }
    }

    /// The sentence that the trash is no directory; `nil` if it is one, or missing.
    func trashObstacle() throws(SystemError) -> String? {
        guard let status = try tree.root.status(Layout.trash), status.kind != .directory else {
            return nil
        }
        return
            "\(tree.root.path)/\(Layout.trash) is \(status.kind.words) instead of a directory; no day is removed until you move it away"
    }

    /// Moves the redirect page, sidecar, thumbnail and links of `day` back from the trash, where their places are free.
    ///
    /// The picture itself was returned before. A name that is in both places, as after a power cut, is removed from the
    /// trash.
    func returnFromTrash(_ day: Day) throws(SystemError) {
        let thumbnail = Layout.split(Layout.thumbnail(of: day)).name
        for (_, trash) in try trashFolders() {
            for name in try trash.textNames() where FileName.day(of: name) == day {
                let top = name == thumbnail ? Layout.thumbnails : Layout.pictures
                let folder = try tree.root.makeDirectory(Layout.folder(top, of: day))
                let trashed = try trash.status(name)
                if let current = try folder.status(name) {
                    // The picture was returned by a hard link: its name in the trash is not needed any more.
                    if current.identity == trashed?.identity { try trash.remove(name) }
                } else if name == thumbnail || trashed?.kind == .symbolicLink
                    || [".html", Layout.sidecarExtension].contains(where: name.hasSuffix)
                {
                    try trash.rename(name, to: folder, as: name)
                    try folder.flush()
                }
            }
        }
    }

    /// The path, relative to the root, of a copy of the removed `file` with the recorded contents: in the
    /// trash, else the pinned picture of a favorite; `nil` if there is none.
    func trashedFile(_ file: RecordedFile, of day: Day) throws(SystemError) -> String? {
        let name = Layout.split(file.path).name
        var paths = try trashFolders().map { "\(Layout.trash)/\($0.date)/\(name)" }
        if let ending = name.splitAtLastDot?.ending {
            paths.append("\(Layout.favoriteStore)/\(day)\(ending)")
        }
        for path in paths where try tree.exists(path) {
            if try tree.root.hasContents(of: file, at: path) == true { return path }
        }
        return nil
    }

    /// Deletes files of the mirror that have been in the trash for more than ``daysInTrash`` days, or
    /// ``daysOfFavoritesInTrash``, and empty directories.
    func emptyTrash(on today: Day) throws(SystemError) {
        for (removed, folder) in try trashFolders() {
            guard removed.distance(to: today) > Self.daysInTrash else { continue }
            for name in try folder.textNames() where FileName.day(of: name) != nil {
                let isFavorite = name.dropFirst(FileName.dayLength).hasPrefix(Self.favoriteMark)
                // mutation test: removal-age
                let days = isFavorite ? Self.daysOfFavoritesInTrash : Self.daysInTrash
                guard removed.distance(to: today) > days,
                    try folder.status(name)?.kind != .directory
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
    package func trashFolders() throws(SystemError) -> [(date: Day, folder: Directory)] {
        var folders: [(date: Day, folder: Directory)] = []
        for name in try tree.root.textNames(in: Layout.trash).sorted(by: >) {
            guard let date = Day(iso: name) else { continue }
            let path = "\(Layout.trash)/\(name)"
            guard try tree.root.status(path)?.kind == .directory,
                let folder = try tree.root.folder(path)
            else { continue }
            folders.append((date, folder))
        }
        return folders
    }

    /// The symbolic links among the pictures of `day` that lead to one of `names`, also by other links.
    private func links(of day: Day, to names: [String]) throws(SystemError) -> [String] {
        let path = Layout.folder(Layout.pictures, of: day)
        guard let folder = try tree.root.folder(path) else { return [] }
        let candidates = try folder.textNames().filter { FileName.day(of: $0) == day }
        var links: Set<String> = []
        var targets = Set(names)
        while !targets.isEmpty {
            targets = Set(
                candidates.filter { folder.target(of: $0).map(targets.contains) ?? false }
            ).subtracting(links)
            links.formUnion(targets)
        }
        return links.map { "\(path)/\($0)" }
    }
}

extension Tree {
    /// Makes the directory for what is removed on `date`, if it is missing.
    package func makeTrashFolder(on date: Day) throws(SystemError) -> Directory {
        try root.makeDirectory("\(Layout.trash)/\(date)")
    }
}
