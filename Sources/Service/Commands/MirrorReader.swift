package import APOD
internal import Favorites
internal import FoundationEssentials
package import Mirror
package import Platform

/// A mirror that a command only reads; another process may write it meanwhile.
package struct MirrorReader: Sendable {
    package let tree: Tree
    package let store: Store

    package init(_ tree: Tree) {
        self.tree = tree
        store = Store(reading: tree)
    }

    /// The absolute path of `file`; `nil` without a file, and for one that cannot be a file of `day`.
    package func absolutePath(of file: String?, on day: Day) -> String? {
        guard let file, Layout.isPath(file, inPicturesOf: day) else { return nil }
        return "\(tree.root.path)/\(file)"
    }

    /// The bytes of the record of `day`; `nil` if there is none.
    package func bytes(of day: Day) throws -> [UInt8]? {
        try tree.root.read(Layout.recordPath(of: day))
    }

    /// What the next syncs would remove; `nil` if NASA was never reached.
    package func previewRetention(_ keep: Keep) throws -> RetentionPreview? {
        try tree.checkStateIsReadable()
        let favorites = try FavoriteCommands(tree: tree, isWriter: false).protectedDays()
        return try RetentionPreview(keep, of: store, favorites: favorites, at: Date())
    }
}

/// Reads the records of many days in their order: it opens the directory of each month once.
package struct RecordReader {
    private let root: Directory
    private var month: (days: ClosedRange<Day>, folder: Directory)?

    package init(_ tree: Tree) { root = tree.root }

    /// The bytes of the record of `day`; `nil` if there is none.
    package mutating func bytes(of day: Day) throws(SystemError) -> [UInt8]? {
        if month?.days.contains(day) != true {
            let path = Layout.folder(Layout.metadata, of: day)
            month = try root.folder(path).map { (Month(of: day).days, $0) }
        }
        return try month?.folder.read(Layout.record(of: day))
    }
}
