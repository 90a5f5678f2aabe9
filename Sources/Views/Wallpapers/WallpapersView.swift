internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for a slide show of the desktop.
struct WallpapersView: View {
    static let title = "the wallpapers"
    private static let path = "wallpapers"
    /// The beginning of the name of a favorite's link.
    private static let favoriteMark = "favorite "

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .wallpapers)
        let targets = try targets(input)
        if options.count > 0 { outcome.addHiddenDays(of: input.snapshot, from: .first) }
        guard try files.mayUse(folder: Self.path, for: Array(targets.keys)) else {
            // A user's own directory is no problem where there is nothing to write.
            if !targets.isEmpty { outcome.addObstruction(by: Self.path, in: input.root) }
            return outcome
        }
        let names = try input.root.folder(Self.path)?.textNames() ?? []
        let outdated = names.filter { targets[$0] == nil && !isHidden($0, in: input.snapshot) }
            .map { "\(Self.path)/\($0)" }
        // The other items there are the user's, and in nobody's way.
        outcome.addChanges(try files.remove(outdated))
        let links = targets.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: "\(Self.path)/\($0)", linkTo: $1) }
        outcome.add(try files.publish(links), in: input.root)
        try input.removeIfEmptied(Self.path, by: outcome)
        return outcome
    }

    /// Whether the picture of the link `name` may be there, in a directory that cannot be listed.
    private func isHidden(_ name: String, in snapshot: TreeSnapshot) -> Bool {
        let isFavorite = name.hasPrefix(Self.favoriteMark)
        let start = name.dropFirst(isFavorite ? Self.favoriteMark.count : 0)
        guard let day = FileName.day(of: start) else { return false }
        return snapshot.readError(of: day) != nil
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
}
