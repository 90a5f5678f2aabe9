internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The links in `wallpapers/`; what is no link of the mirror is never changed.
extension DerivedFiles {
    func refreshWallpapers(
        _ records: inout NewestRecords, _ favorites: Set<Day>
    ) throws(SystemError) {
        let targets = try wallpapers(&records, favorites)
        // A user's own directory is no problem where there is nothing to write.
        if targets.isEmpty, try !DerivedFile.wallpapers.isOwn(in: root) { return }
        let name = DerivedFile.wallpapers.rawValue
        guard try isFree(.wallpapers),
            let folder = try targets.isEmpty ? root.folder(name) : root.makeDirectory(name)
        else { return }
        try removeWallpapers(except: targets, in: folder)
        try makeWallpapers(targets, in: folder)
        if try folder.names().isEmpty { try root.removeFolder(name) }
    }

    /// The target of each link, by its name.
    private func wallpapers(
        _ records: inout NewestRecords, _ favorites: Set<Day>
    ) throws(SystemError) -> [String: String] {
        let options = options.wallpapers
        var targets: [String: String] = [:]
        var index = 0
        while targets.count < options.count, index < options.days, let record = try records[index] {
            index += 1
            guard options.accepts(record), let picture = record.picture, try exists(picture.path),
                !isAnimated(picture)
            else { continue }
            let name = Layout.split(picture.path).name
            let isFavorite = favorites.contains(record.entry.day)
            targets[isFavorite ? DerivedFile.favoriteMark + name : name] = "../\(picture.path)"
        }
        return targets
    }

    /// Whether it is a WebP with the flag of an animation; see RFC 9649, section 2.7.
    private func isAnimated(_ picture: PictureRecord) -> Bool {
        guard picture.type == MediaType.webp.rawValue else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let start = try? file.readStart(limit: 21, path: picture.path), start.count == 21
        else { return true }
        return start[12..<16].elementsEqual("VP8X".utf8) && start[20] & 2 != 0
    }

    private func removeWallpapers(
        except targets: [String: String], in folder: Directory
    ) throws(SystemError) {
        for name in try folder.textNames()
        where targets[name] == nil && DerivedFile.isWallpaper(name, in: folder) {
            try folder.remove(name)
            outcome.written.append("\(DerivedFile.wallpapers.rawValue)/\(name)")
        }
    }

    private func makeWallpapers(
        _ targets: [String: String], in folder: Directory
    ) throws(SystemError) {
        let incoming = try root.makeDirectory(Layout.incoming)
        for (name, target) in targets.sorted(by: { $0.key < $1.key })
        where folder.target(of: name) != target {
            let path = "\(DerivedFile.wallpapers.rawValue)/\(name)"
            guard try folder.status(name) == nil else {
                outcome.problems.append(obstruction(by: path))
                continue
            }
            // A file system without symbolic links has none.
            guard
                try AtomicFile.publishLink(
                    to: target, in: folder, as: name, through: incoming, replacing: false)
            else { return }
            outcome.written.append(path)
        }
    }
}
