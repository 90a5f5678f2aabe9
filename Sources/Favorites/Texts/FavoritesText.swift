internal import APOD
internal import Mirror
internal import Platform

/// A text file that the mirror writes into `favorites/`, the folder in which a person chooses favorites.
///
/// It is for people who see nothing but their file manager. A reconciliation writes both texts at its end, by
/// ``FavoritesTextFiles``.
enum FavoritesText: CaseIterable {
    /// What the folder is for, while it is empty.
    case hint
    /// What a person should check: see ``FavoritesReport``.
    case report

    var name: String {
        switch self {
        case .hint: Layout.favoritesHint
        case .report: Layout.favoritesReport
        }
    }

    var path: String { "\(Layout.favorites)/\(name)" }

    /// The name that a person gives the ``report`` to confirm that all `held` favorites are to be removed.
    ///
    /// It is like `Remove these favorites 1f04.txt`. The digits are a hash of the held favorites. If one more is held after the
    /// person has read the text, the name no longer fits, and nothing is removed.
    static func confirmation(of held: some Sequence<Day>) -> String {
        let days = held.sorted().map { "\($0)" }.joined()
        return "Remove these favorites \(SHA256.digits(4, of: Array(days.utf8))).txt"
    }

    /// Whether a person who was to type the name `wanted` for a text has typed it, if the text is now named `typed`.
    ///
    /// The ending `.txt` does not count: a file manager that hides the ending adds it to the typed one, and a person may leave
    /// it out. The case of the letters does not count, either.
    static func isName(_ typed: String, typedFor wanted: String) -> Bool {
        func stem(_ name: String) -> Substring {
            var stem = name.lowercased()[...]
            while stem.hasSuffix(".txt") { stem.removeLast(".txt".count) }
            return stem
        }
        return stem(typed) == stem(wanted)
    }

    static let hintContents = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). Without a key it is moved, which counts, too: the mirror copies it back. It is a favorite from
        then on, and the mirror keeps it for good. To remove a favorite, delete it from this folder. Folders in
        this folder are collections.

        You can delete this text. It is here while the folder is empty, and does not come back once you delete it.

        """
}

extension ScannedItem {
    /// Whether it has the name of `text`.
    func isNamed(like text: FavoritesText) -> Bool { name.bytes.elementsEqual(text.name.utf8) }
}
