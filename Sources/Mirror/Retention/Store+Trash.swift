package import APOD
internal import Glibc
package import Platform

/// Removed files in `trash/2026-11-21/`, a directory for each day of removal.
///
/// All names start with the day of the picture, and belong into its folder of pictures; that of a thumbnail is
/// the day alone. The record and the pin of a removed favorite are `2026-11-20 favorite.json` and `….jpg`.
extension Store {
    /// The days after which the trash is emptied.
    package static let daysInTrash = 7
    /// The same for removed favorites, which take next to no space.
    package static let daysOfFavoritesInTrash = 30

    private static let favoriteMark = " favorite."

    /// The name of a file of a removed favorite; `ending` is its extension with the dot.
    package static func removedFavorite(_ day: Day, _ ending: some StringProtocol) -> String {
        "\(day)\(favoriteMark)\(ending.dropFirst())"
    }

    /// Moves the files that `record` marks as removed to the trash.
    ///
    /// What belongs to them is moved with them: the redirect page, the sidecar, the thumbnail, and links to the picture.
    /// Files that are there already stay.
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
        let trash = try trashFolder(on: Day(iso: removed.timestamp.prefix(10)) ?? .first)
        for path in present {
            let name = Layout.split(path).name
            try makeRoom(for: path, in: trash, name)
            try tree.root.rename(path, to: trash, as: name)
        }
        try trash.synchronize()
        for path in Set(present.map { Layout.split($0).folder }) {
            try tree.root.folder(path)?.synchronize()
        }
    }

    /// Gives another name to `name` in `trash`, unless it is the file at `path` by a second name.
    private func makeRoom(
        for path: String, in trash: Directory, _ name: String
    ) throws(SystemError) {
        guard let old = try trash.status(name) else { return }
        // rename(2) does nothing if both names are links to one file.
        let new = try tree.root.status(path)
        if old.kind != .file || old.identity == new?.identity { return try trash.remove(name) }
        try trash.moveToFreeName(Array(name.utf8), in: trash) {
            $0.prefix(10) + Array(" \($1)".utf8) + $0.dropFirst(10)
        }
    }

    /// The sentence that something else is in place of the trash; `nil` if nothing is.
    func trashObstacle() throws(SystemError) -> String? {
        guard let status = try tree.root.status(Layout.trash), status.kind != .directory else {
            return nil
        }
        return
            "\(tree.root.path)/\(Layout.trash) is \(status.kind.words) instead of a directory; no day is removed until you move it away"
    }

    /// The directory for what is removed on `date`; that of a later day where something else has its name.
    package func trashFolder(on date: Day) throws(SystemError) -> Directory {
        for later in 0..<Self.daysInTrash {
            let path = "\(Layout.trash)/\(date.advanced(by: later))"
            guard let status = try tree.root.status(path), status.kind != .directory else {
                return try tree.root.makeDirectory(path)
            }
        }
        return try tree.root.makeDirectory("\(Layout.trash)/\(date)")
    }

    /// Moves what belongs to the returned picture of `day` back from the trash, unless its place is taken.
    func returnFromTrash(_ day: Day) throws(SystemError) {
        for (_, trash) in try trashFolders() {
            for name in try trash.textNames() where FileName.day(of: name) == day {
                let isThumbnail = name == Layout.split(Layout.thumbnail(of: day)).name
                let folder = try tree.root.makeDirectory(
                    Layout.folder(isThumbnail ? Layout.thumbnails : Layout.pictures, of: day))
                let (current, trashed) = (try folder.status(name), try trash.status(name))
                if let current {
                    // The picture itself, by a second name.
                    if current.identity == trashed?.identity { try trash.remove(name) }
                } else if isThumbnail || trashed?.kind == .symbolicLink
                    || [".html", Layout.sidecarExtension].contains(where: name.hasSuffix)
                {
                    try trash.rename(name, to: folder, as: name)
                    try folder.synchronize()
                }
            }
        }
    }

    /// Finds the removed `file`: in the trash, else the pinned picture of a favorite.
    ///
    /// - Returns: The path of a file with the recorded contents, relative to the root; `nil` if there is none.
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

    /// Gives the file at `path` the name `name` in `folder`, too: by a link, else by copying.
    func duplicate(
        _ path: String, to folder: Directory, as name: String, of day: Day
    ) throws(SystemError) {
        let draft = try AtomicFile.duplicate(
            of: path, in: tree.root, as: "\(day).copy.part", in: incoming,
            limit: Layout.largestFile
        ) { bytes throws(SystemError) in try checkFreeSpace(for: bytes + 1) }
        // The file of another user keeps its time.
        try? draft.file.setModified(day.noon, path: draft.path)
        try draft.stage(in: folder, as: name)
    }

    /// Deletes what was removed more than ``daysInTrash`` days before `today`, or ``daysOfFavoritesInTrash``.
    ///
    /// Files that are not the mirror's stay, and so does their directory.
    func emptyTrash(on today: Day) throws(SystemError) {
        for (date, folder) in try trashFolders() {
            guard let removed = Day(iso: date), removed.distance(to: today) > Self.daysInTrash
            else { continue }
            for name in try folder.textNames() where FileName.day(of: name) != nil {
                let isFavorite = name.dropFirst(10).hasPrefix(Self.favoriteMark)
                // mutant: removal-age
                let days = isFavorite ? Self.daysOfFavoritesInTrash : Self.daysInTrash
                guard removed.distance(to: today) > days,
                    try folder.status(name)?.kind != .directory
                else { continue }
                try folder.remove(name)
            }
            guard try folder.names().isEmpty else { continue }
            try tree.root.removeFolder("\(Layout.trash)/\(date)")
        }
    }

    package func trashBytes() throws(SystemError) -> Int {
        var bytes = 0
        for (_, folder) in try trashFolders() {
            for name in try folder.names() {
                bytes = bytes.addingSaturating(try folder.status(name)?.size ?? 0)
            }
        }
        return bytes
    }

    /// The directories in the trash by their names, the newest first; any other item is a user's.
    package func trashFolders() throws(SystemError) -> [(date: String, folder: Directory)] {
        var folders: [(date: String, folder: Directory)] = []
        for name in try tree.root.textNames(in: Layout.trash).sorted(by: >)
        where Day(iso: name) != nil {
            let path = "\(Layout.trash)/\(name)"
            guard try tree.root.status(path)?.kind == .directory,
                let folder = try tree.root.folder(path)
            else { continue }
            folders.append((name, folder))
        }
        return folders
    }

    /// The symbolic links among the pictures of `day` that lead to one of `names`, also by other links.
    private func links(of day: Day, to names: [String]) throws(SystemError) -> [String] {
        let path = Layout.folder(Layout.pictures, of: day)
        guard let folder = try tree.root.folder(path) else { return [] }
        let others = try folder.textNames().filter { FileName.day(of: $0) == day }
        var links: Set<String> = []
        var found = Set(names)
        while !found.isEmpty {
            found = Set(others.filter { folder.target(of: $0).map(found.contains) ?? false })
                .subtracting(links)
            links.formUnion(found)
        }
        return links.map { "\(path)/\($0)" }
    }
}
