internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Answers the lookups of a ``Classifier`` from a tree.
///
/// Each source is read when it is first needed.
final class ClassificationContext {
    private let tree: Tree
    private let recorded: [Day: Favorite]
    private let scan: Scan
    /// Whether `favorites/` is another directory than before.
    private lazy var isOtherDirectory =
        (try? FavoriteStore(tree: tree).lastScannedDirectory()).map {
            .folder($0.place) != scan.place
        }
        ?? false
    private lazy var favorites = recorded.values.sorted { $0.lastPresent > $1.lastPresent }
    private lazy var daysByName = Dictionary(
        favorites.flatMap { favorite in favorite.names.map { ($0, favorite.day) } }
    ) { first, _ in first }
    private lazy var daysByEditedFile = Dictionary(
        favorites.flatMap { favorite in favorite.edited.map { ($0, [favorite.day]) } },
        uniquingKeysWith: +)
    private lazy var names = Set(scan.items.map(\.name))
    private lazy var latestLinks = favorites.flatMap { favorite in
        favorite.latest.map { (link: $0, day: favorite.day) }
    }
    private var latestDays: [String: Day?] = [:]
    private lazy var pictures = Result { try PictureIndex(of: tree) }

    /// The maximum number of bytes that are read to classify a file.
    private static let startLength = 64 << 10

    init(tree: Tree, recorded: [Day: Favorite], scan: Scan) {
        self.tree = tree
        self.recorded = recorded
        self.scan = scan
    }

    var lookups: Classifier.Lookups {
        Classifier.Lookups(
            latestDay: { self.latestDay(by: $0) },
            recordedDay: { self.daysByName[$0] },
            editedDays: { self.daysByEditedFile[EditedFile($0)] ?? [] },
            dayOfLatestLink: { self.dayOfLatestLink($0, modified: $1) },
            readStart: { item throws(SystemError) in
                try self.open(item) { file, path throws(SystemError) in
                    try file.readStart(limit: min(item.size, Self.startLength), path: path)
                }
            },
            matchingPicture: { item throws(SystemError) in try self.matchingPicture(item) })
    }

    /// A renamed or moved link keeps its modification time, and so its day.
    ///
    /// In another directory its name counts, because a copy of the tree may have lost the time. Where several
    /// links have one time in such a copy, a new name takes the place of one that is gone.
    private func dayOfLatestLink(_ name: FavoriteName, modified: Int) -> Day? {
        let links = latestLinks.filter { $0.link.modified == modified }
        if let link = links.first(where: { $0.link.name == name })
            ?? (modified != 0 ? links.first { !names.contains($0.link.name) } ?? links.first : nil)
        {
            return link.day
        }
        return isOtherDirectory ? latestLinks.first { $0.link.name == name }?.day : nil
    }

    private func latestDay(by name: String) -> Day? {
        if let known = latestDays[name] { return known }
        let day = DayFiles.latest(in: tree, by: name)
        latestDays.updateValue(day, forKey: name)
        return day
    }

    private func matchingPicture(
        _ item: ScannedItem
    ) throws(SystemError) -> (Day, ReferenceKind)? {
        let pictures: PictureIndex
        do {
            pictures = try self.pictures.get()
        } catch {
            throw (error as? SystemError) ?? SystemError("read", path: item.name.text, code: EIO)
        }
        return try pictures.day(of: item, recorded: daysByName[item.name]) {
            () throws(SystemError) in
            try open(item) { file, path throws(SystemError) in try file.sha256(path: path) }
        }
    }

    /// Opens the file `item`; fails with `ESTALE` if another file has its name now.
    private func open<Result>(
        _ item: ScannedItem,
        _ body: (borrowing FileDescriptor, String) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let path = "\(Layout.favorites)/\(item.name.text)"
        guard let folder = try tree.root.folder(item.name.folderPath) else {
            throw SystemError("open", path: path, code: ENOENT)
        }
        let file = try folder.openToRead(item.name.last)
        let status = try file.status(path: path)
        guard status.kind == .file, status.identity == item.identity else {
            throw SystemError("open", path: path, code: ESTALE)
        }
        return try body(file, path)
    }
}
