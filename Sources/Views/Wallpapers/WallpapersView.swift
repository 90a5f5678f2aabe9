internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for a slide show of the desktop.
///
/// What is no link of the mirror is never changed.
struct WallpapersView: View {
    static let title = "the wallpapers"
    static let ownedPaths = [ownedFolder]
    private static let ownedFolder = OwnedPath(path, hasMarks: isOwn)
    private static let path = "wallpapers"
    /// The beginning of the name of a favorite's link.
    private static let favoriteMark = "favorite "

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let root = input.root
        let targets = try targets(input)
        // A user's own directory is no problem where there is nothing to write.
        if targets.isEmpty, try !Self.ownedFolder.isOwn(root) { return outcome }
        guard try input.mayWrite(Self.ownedFolder, reportingTo: &outcome),
            let folder = try targets.isEmpty
                ? root.folder(Self.path) : root.makeDirectory(Self.path)
        else { return outcome }
        for name in try folder.textNames()
        where targets[name] == nil && Self.isLink(name, in: folder) {
            try folder.remove(name)
            outcome.changedPaths.append("\(Self.path)/\(name)")
        }
        try makeLinks(targets, in: folder, of: root, &outcome)
        if !outcome.changedPaths.isEmpty { try folder.flush() }
        if try folder.names().isEmpty { try root.removeFolder(Self.path) }
        return outcome
    }

    /// The target of each link, by its name.
    private func targets(_ input: ViewInput) throws(SystemError) -> [String: String] {
        var targets: [String: String] = [:]
        var records = input.records
        var remainingDays = options.days
        while targets.count < options.count, remainingDays > 0, let record = try records.next() {
            remainingDays -= 1
            guard options.accepts(record), let picture = record.picture,
                try input.hasMedia(at: picture.path), !mayBeAnimated(picture, in: input.root)
            else { continue }
            let name = Layout.split(picture.path).name
            let isFavorite = input.favorites.contains(record.entry.day)
            targets[isFavorite ? Self.favoriteMark + name : name] = "../\(picture.path)"
        }
        return targets
    }

    /// Whether it moves, or cannot be read: another picture is as good.
    ///
    /// A JPEG never moves, and its file is not read.
    private func mayBeAnimated(_ picture: PictureRecord, in root: Directory) -> Bool {
        guard picture.type != MediaType.jpeg.rawValue else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let header = try? MediaHeader(reading: file)
        else { return true }
        return header.isAnimated
    }

    private func makeLinks(
        _ targets: [String: String], in folder: Directory, of root: Directory,
        _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        for (name, target) in targets.sorted(by: { $0.key < $1.key })
        where folder.target(of: name) != target {
            let path = "\(Self.path)/\(name)"
            guard try folder.status(name) == nil else {
                outcome.addObstruction(by: path, in: root)
                continue
            }
            // On a file system without symbolic links the view stays empty.
            guard try folder.symlinkIfSupported(name, to: target) else { break }
            outcome.changedPaths.append(path)
        }
    }

    // MARK: What is the mirror's

    /// Whether the directory has a link of the mirror, or nothing, as before the first link is made; hidden files do not
    /// count.
    private static func isOwn(_ root: Directory) throws(SystemError) -> Bool {
        let folder = try ifReadable(root.folder(path))
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
