internal import APOD
internal import Mirror
internal import Platform

/// A text that the mirror writes into `favorites/`, for people who see nothing but their file manager.
enum FavoritesText: CaseIterable {
    /// What the folder is for, while it is empty.
    case hint
    /// Which favorites are held, which pictures were changed, and which items are unrecognized.
    case report

    var name: String {
        switch self {
        case .hint: Layout.favoritesHint
        case .report: Layout.favoritesReport
        }
    }

    var path: String { "\(Layout.favorites)/\(name)" }

    /// The name that a person gives the ``report`` to confirm that the `held` favorites in it are to be removed.
    ///
    /// Its digits stand for these alone: a favorite that is held since the person read the text has another name.
    static func confirmation(of held: some Sequence<Day>) -> String {
        let days = held.sorted().map { "\($0)" }.joined()
        return "Remove these favorites \(SHA256.digits(4, of: Array(days.utf8))).txt"
    }

    static let purpose = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). Without a key it is moved, which counts, too: the mirror copies it back. It is a favorite from
        then on, and the mirror keeps it for good. To remove a favorite, delete it from this folder. Folders in
        this folder are collections.

        You can delete this text. It is here while the folder is empty, and does not come back once you delete it.

        """

    /// What is to be known about `held` favorites, `edited` pictures by their paths, and `unrecognized` items; `nil` if there
    /// are none.
    static func report(
        held: [Favorite], edited: [String], unrecognized: [UnrecognizedItem]
    ) -> String? {
        var paragraphs: [String] = []
        if !held.isEmpty {
            let favorites = held.sorted { $0.day > $1.day }.map { "\($0.day) \($0.title ?? "")" }
            paragraphs = [
                "These favorites have no picture in this folder any more, but they are still favorites: so many went"
                    + " at once, or the folder is another one, that it may be an accident.",
                lines(favorites),
                "To keep one, put its picture or link back into this folder. To remove all of them from the favorites,"
                    + " rename this text to",
                "  \(confirmation(of: held.map(\.day)))",
                "Deleting this text removes nothing.",
            ]
        }
        if !edited.isEmpty {
            paragraphs += [
                "These pictures of favorites were changed. The originals come back, and what is there now moves to the"
                    + " hidden folder \(Layout.damaged) of the mirror. Edit copies: they are yours.",
                lines(edited),
            ]
        }
        if !unrecognized.isEmpty {
            let items = unrecognized.map { "\($0.name.text.excerpt(120)): \($0.reason)" }
            paragraphs += [
                "These items in this folder are no favorites:",
                lines(items.limited(to: 100) { "and \($0) more" }),
            ]
        }
        guard !paragraphs.isEmpty else { return nil }
        return (paragraphs + [end]).joined(separator: "\n\n")
    }

    private static let end =
        "The mirror keeps this text up to date, and deletes it when nothing is left to say.\n"

    /// Whether a file with these `bytes` is a ``report(held:edited:unrecognized:)``, under whatever name.
    static func isReport(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(end.utf8.count).elementsEqual(end.utf8)
    }

    private static func lines(_ items: [String]) -> String {
        items.map { "  \($0.excerpt(400))" }.joined(separator: "\n")
    }
}
