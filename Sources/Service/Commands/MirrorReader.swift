package import APOD
internal import Favorites
internal import FoundationEssentials
package import Mirror
internal import Platform

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
