internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen; what is no link of the mirror is never changed.
struct WallpapersView: View {
    static let title = "the wallpapers"
    static let ownedPaths = [OwnedPath("wallpapers", isOwn: isOwn)]

    private static let folder = "wallpapers"
    /// The beginning of the name of a favorite's link.
    private static let favoriteMark = "favorite "

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let (root, owned) = (input.root, Self.ownedPaths[0])
        let targets = try targets(input)
        // A user's own directory is no problem where there is nothing to write.
        if targets.isEmpty, try !owned.isOwn(root) { return outcome }
        guard try input.isFree(owned, &outcome),
            let folder = try targets.isEmpty
                ? root.folder(Self.folder) : root.makeDirectory(Self.folder)
        else { return outcome }
        for name in try folder.textNames()
        where targets[name] == nil && Self.isLink(name, in: folder) {
            try folder.remove(name)
            outcome.written.append("\(Self.folder)/\(name)")
        }
        try make(targets, in: folder, of: root, &outcome)
        if try folder.names().isEmpty { try root.removeFolder(Self.folder) }
        return outcome
    }

    /// The target of each link, by its name.
    private func targets(_ input: ViewInput) throws(SystemError) -> [String: String] {
        var targets: [String: String] = [:]
        var records = input.newestRecords
        var rest = options.days
        while targets.count < options.count, rest > 0, let record = try records.next() {
            rest -= 1
            guard options.accepts(record), let picture = record.picture,
                try input.exists(picture.path), !isAnimated(picture, in: input.root)
            else { continue }
            let name = Layout.split(picture.path).name
            let isFavorite = input.favorites.contains(record.entry.day)
            targets[isFavorite ? Self.favoriteMark + name : name] = "../\(picture.path)"
        }
        return targets
    }

    /// Whether it is a WebP with the flag of an animation; see RFC 9649, section 2.7.
    private func isAnimated(_ picture: PictureRecord, in root: Directory) -> Bool {
        guard picture.type == MediaType.webp.rawValue else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let start = try? file.readStart(limit: 21, path: picture.path), start.count == 21
        else { return true }
        return start[12..<16].elementsEqual("VP8X".utf8) && start[20] & 2 != 0
    }

    private func make(
        _ targets: [String: String], in folder: Directory, of root: Directory,
        _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        for (name, target) in targets.sorted(by: { $0.key < $1.key })
        where folder.target(of: name) != target {
            let path = "\(Self.folder)/\(name)"
            guard try folder.status(name) == nil else {
                outcome.addObstruction(by: path, in: root)
                continue
            }
            // A file system without symbolic links has none.
            guard try folder.symlinkIfSupported(name, to: target) else { return }
            try folder.flush()
            outcome.written.append(path)
        }
    }

    // MARK: What is the mirror's

    /// Whether the directory has a link of the mirror, or nothing to be seen.
    private static func isOwn(_ root: Directory) throws(SystemError) -> Bool {
        let folder = try ifReadable(root.folder(folder))
        guard let folder, let all = try ifReadable(folder.textNames()) else { return false }
        let names = all.filter { !$0.hasPrefix(".") }
        return names.isEmpty || names.contains { isLink($0, in: folder) }
    }

    /// Whether `name` in the directory is a link that the mirror made: it has the name of the picture that it leads
    /// to, after ``favoriteMark`` for a favorite.
    private static func isLink(_ name: String, in folder: Directory) -> Bool {
        let isFavorite = name.hasPrefix(favoriteMark)
        let picture = isFavorite ? String(name.dropFirst(favoriteMark.count)) : name
        guard let day = FileName.day(of: picture) else { return false }
        return folder.target(of: name) == "../\(Layout.folder(Layout.pictures, of: day))/\(picture)"
    }
}
