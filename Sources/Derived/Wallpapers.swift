internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The links in `wallpapers/`: which there are to be, and the changes to get there.
///
/// What is no link of the mirror is never changed.
struct Wallpapers {
    let root: Directory
    /// The target of each link.
    private(set) var targets: [String: String] = [:]

    private static let folder = DerivedFile.wallpapers.rawValue

    /// Adds the picture of `day` at `path`, unless it is animated.
    mutating func add(_ day: Day, _ picture: PictureRecord, isFavorite: Bool) {
        guard !isAnimated(picture) else { return }
        let name = Layout.split(picture.path).name
        targets[isFavorite ? DerivedFile.favoriteMark + name : name] = "../\(picture.path)"
    }

    /// Whether it is a WebP with the flag of an animation; see RFC 9649, section 2.7.
    private func isAnimated(_ picture: PictureRecord) -> Bool {
        guard picture.type == MediaType.webp.rawValue else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let start = try? file.readStart(limit: 21, path: picture.path), start.count == 21
        else { return true }
        return start[12..<16].elementsEqual("VP8X".utf8) && start[20] & 2 != 0
    }

    /// Makes and removes links; returns the changed paths, and the names that are in the way.
    func publish(
        through incoming: Directory
    ) throws(SystemError) -> (changed: [String], obstacles: [String]) {
        var (changed, obstacles): ([String], [String]) = ([], [])
        guard
            let folder = try targets.isEmpty
                ? root.folder(Self.folder) : root.makeDirectory(Self.folder)
        else { return ([], []) }
        for name in try folder.textNames() where targets[name] == nil {
            guard DerivedFile.isWallpaper(name, in: folder) else { continue }
            try folder.remove(name)
            changed.append("\(Self.folder)/\(name)")
        }
        for (name, target) in targets.sorted(by: { $0.key < $1.key })
        where folder.target(of: name) != target {
            guard try folder.status(name) == nil else {
                obstacles.append("\(Self.folder)/\(name)")
                continue
            }
            // A file system without symbolic links has none.
            guard
                try AtomicFile.publishLink(
                    to: target, in: folder, as: name, through: incoming, replacing: false)
            else { break }
            changed.append("\(Self.folder)/\(name)")
        }
        if try folder.names().isEmpty { try root.removeFolder(Self.folder) }
        return (changed, obstacles)
    }
}
