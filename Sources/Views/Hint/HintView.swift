internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// A text file in `favorites/` that says what the directory is for, until it is used.
///
/// It is made once in the life of a mirror, while there are no favorites: ``ViewFiles`` remember that.
struct HintView: View {
    static let title = "the text in favorites/"
    private static let path = "\(Layout.favorites)/\(Layout.favoritesHint)"

    /// There are no settings for it.
    init(_: ViewSettings) {}

    static let text = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). It is a favorite from then on, and the mirror keeps it for good. To remove a favorite, delete
        it from this folder. Folders in this folder are collections.

        You can delete this text. The mirror deletes it after the first item is added, and does not write it again.

        """

    /// Makes or removes the text; does nothing where `favorites/` is a link, or a directory of another user.
    func update(_ input: ViewInput) throws -> ViewOutcome {
        do throws(SystemError) {
            try update(
                input.files(of: .hint), in: input.root, hasFavorites: !input.favorites.isEmpty)
        } catch {
            guard error.isPermissionDenied || error.isNotDirectory || error.code == EPERM else {
                throw error
            }
        }
        return ViewOutcome()
    }

    private func update(
        _ files: ViewFiles, in root: Directory, hasFavorites: Bool
    ) throws(SystemError) {
        guard let folder = try root.folder(Layout.favorites) else { return }
        let hasHint = try files.owns(Self.path)
        // A text that a user changed is an item, too.
        let hasOtherItems = try folder.names().contains { name in
            let isHint = hasHint && name.elementsEqual(Layout.favoritesHint.utf8)
            return name.first != UInt8(ascii: ".") && !isHint
        }
        if hasFavorites || hasOtherItems {
            if hasHint { _ = try files.remove([Self.path]) }
        } else if try !files.hasWritten() {
            _ = try files.publish([ViewFiles.File(path: Self.path, bytes: Array(Self.text.utf8))])
        }
    }
}
