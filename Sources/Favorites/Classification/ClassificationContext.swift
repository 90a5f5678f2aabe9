internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// What the classifier asks, answered by a tree: each thing when it is asked for first.
final class ClassificationContext {
    private let tree: Tree
    private let links: FavoriteLinks
    private let recorded: [Day: Favorite]
    /// First those that are there, then those that were there last: a name may be that of several.
    private lazy var favorites = recorded.values.sorted {
        ($0.vanishedAt ?? .distantFuture, $0.day) > ($1.vanishedAt ?? .distantFuture, $1.day)
    }
    private lazy var names = Dictionary(
        favorites.flatMap { favorite in favorite.names.map { ($0, favorite.day) } },
        uniquingKeysWith: { first, _ in first })
    private lazy var marks = favorites.flatMap { favorite in
        favorite.latest.map { (mark: $0, day: favorite.day) }
    }
    private lazy var latest = DayFiles.latest(in: tree)
    private lazy var twins = Result { try PictureIndex(of: tree) }

    /// The most that is read of a file to understand it.
    private static let startLength = 64 << 10

    init(tree: Tree, recorded: [Day: Favorite]) {
        self.tree = tree
        self.recorded = recorded
        links = FavoriteLinks(tree: tree)
    }

    var knowledge: Classifier.Knowledge {
        Classifier.Knowledge(
            latest: { self.latest },
            recorded: { self.names[$0] },
            marked: { self.marked($0, $1) },
            start: { item throws(SystemError) in
                try self.open(item) { file, path throws(SystemError) in
                    try file.readStart(limit: min(item.size, Self.startLength), path: path)
                }
            },
            twin: { item throws(SystemError) in try self.twin(of: item) })
    }

    /// What is renamed or moved keeps its time: it stands for the day that it stood for.
    private func marked(_ name: FavoriteName, _ modified: Int) -> Day? {
        let mark = LatestLinkRecord(name: name, modified: modified)
        return
            (marks.first { $0.mark == mark }
            ?? marks.first { modified != 0 && $0.mark.modified == modified })?.day
    }

    private func twin(of item: ScannedItem) throws(SystemError) -> (Day, ReferenceKind)? {
        let twins: PictureIndex
        do {
            twins = try self.twins.get()
        } catch {
            throw (error as? SystemError) ?? SystemError("read", path: item.name.text, code: EIO)
        }
        return try twins.day(of: item) { () throws(SystemError) in
            try open(item) { file, path throws(SystemError) in try file.sha256(path: path) }
        }
    }

    /// Opens `item`, which is a file: whatever took its place is refused.
    private func open<Result>(
        _ item: ScannedItem,
        _ body: (borrowing FileDescriptor, String) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let path = "\(Scan.folder)/\(item.name.text)"
        guard let folder = try links.folder(above: item.name) else {
            throw SystemError("open", path: path, code: ENOENT)
        }
        let file = try folder.openToRead(bytes: item.name.last)
        let status = try file.status(path: path)
        guard status.kind == .file, status.identity == item.identity else {
            throw SystemError("open", path: path, code: ESTALE)
        }
        return try body(file, path)
    }
}
