internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// A text file in `favorites/` that says what the directory is for, until it is used.
///
/// It is made once in the life of a mirror, while there are no favorites: the mark, a file in `.apod-mirror/`, remembers that.
struct HintView: View {
    static let title = "the text in favorites/"
    /// The text itself is the mirror's as long as it is unchanged: see ``hintIsUnchanged(in:)``.
    static let ownedPaths = [OwnedPath(Layout.hintMark)]

    /// There are no settings for it.
    init(_: ViewSettings) {}

    static let text = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). It is a favorite from then on, and the mirror keeps it for good. To remove a favorite, delete
        it from this folder. Folders in this folder are collections.

        You can delete this text. The mirror deletes it after the first item is added, and does not write it again.

        """

    private var bytes: [UInt8] { Array(Self.text.utf8) }

    /// Makes or removes the text; does nothing where `favorites/` is a link, or a directory of another user.
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

    /// The mark is written before the text is removed, and after it is made: if the mirror is stopped between the two, the
    /// text is there, and the next update goes on.
    private func update(_ store: Store, hasFavorites: Bool) throws(SystemError) {
        guard let folder = try store.tree.root.folder(Layout.favorites) else { return }
        let hasHint = try hintIsUnchanged(in: folder)
        guard hasHint || !hasFavorites else { return }
        // A text that a user changed is an item, too.
        let hasOtherItems = try folder.names().contains { name in
            let isHint = hasHint && name.elementsEqual(Layout.favoritesHint.utf8)
            return name.first != UInt8(ascii: ".") && !isHint
        }
        if hasFavorites || hasOtherItems {
            guard hasHint else { return }
            try store.publishIfChanged([], at: Layout.hintMark)
            try folder.remove(Layout.favoritesHint)
            try folder.flush()
        } else if try store.tree.root.status(Layout.hintMark) == nil {
            if !hasHint { try store.publishAlways(bytes, in: folder, as: Layout.favoritesHint) }
            try store.publishIfChanged([], at: Layout.hintMark)
        }
    }

    /// Whether the text is there, and as the mirror wrote it.
    private func hintIsUnchanged(in folder: Directory) throws(SystemError) -> Bool {
        guard let status = try folder.status(Layout.favoritesHint), status.kind == .file,
            status.size == bytes.count
        else { return false }
        return try folder.read(Layout.favoritesHint) == bytes
    }
}
