internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// A text in `favorites/` that says what the directory is for, until it is used.
///
/// It is made once in the life of a mirror: a file in `.apod-mirror/` remembers that.
struct HintView: View {
    static let title = "the text in favorites/"
    static let ownedPaths = [OwnedPath(Layout.hintMark)]

    init(_ settings: ViewSettings) {}

    static let text = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). It is a favorite from then on, and the mirror keeps it for good. To remove a favorite, delete
        it from this folder. Folders in this folder are collections.

        You can delete this text. The mirror deletes it after the first item is added, and does not write it again.

        """

    private var bytes: [UInt8] { Array(Self.text.utf8) }

    /// Makes or removes the text.
    ///
    /// - Throws: ``SystemError``. Where the directory is not one that this user may write to, nothing is done.
    func update(_ input: ViewInput) throws -> ViewOutcome {
        do throws(SystemError) {
            try update(input.store, hasFavorites: !input.favorites.isEmpty)
        } catch {
            guard error.isPermissionDenied || error.isNotDirectory || error.code == EPERM else {
                throw error
            }
        }
        return ViewOutcome()
    }

    private func update(_ store: Store, hasFavorites: Bool) throws(SystemError) {
        guard let folder = try store.tree.root.folder(Layout.favorites) else { return }
        let isThere = try isOwn(in: folder)
        guard isThere || !hasFavorites else { return }
        let isInUse = try isUsed(folder, besidesHint: isThere)
        let isUseful = !hasFavorites && !isInUse
        if isThere, !isUseful {
            try store.publish([], at: Layout.hintMark)
            try folder.remove(Layout.favoritesHint)
            return try folder.flush()
        }
        guard isUseful, try store.tree.root.status(Layout.hintMark) == nil else { return }
        if !isThere { try store.publish(bytes, in: folder, as: Layout.favoritesHint) }
        try store.publish([], at: Layout.hintMark)
    }

    /// Whether the text is there, and as the mirror wrote it.
    private func isOwn(in folder: Directory) throws(SystemError) -> Bool {
        guard let status = try folder.status(Layout.favoritesHint), status.kind == .file,
            status.size == bytes.count
        else { return false }
        return try folder.read(Layout.favoritesHint) == bytes
    }

    /// Whether there is anything else to be seen in the directory, such as a user's own file of that name.
    private func isUsed(
        _ folder: Directory, besidesHint isThere: Bool
    ) throws(SystemError) -> Bool {
        try folder.names().contains { name in
            name.first != UInt8(ascii: ".")
                && !(isThere && name.elementsEqual(Layout.favoritesHint.utf8))
        }
    }
}
