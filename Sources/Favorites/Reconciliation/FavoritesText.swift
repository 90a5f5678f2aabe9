internal import APOD
internal import Mirror
internal import Platform

/// A text file that the mirror writes into `favorites/`, the folder in which a person chooses favorites.
///
/// It is for people who see nothing but their file manager. A reconciliation writes both texts at its end.
enum FavoritesText: CaseIterable {
    /// What the folder is for, while it is empty.
    case hint
    /// What a person should check: favorites that are held, which means that they stay although their items are gone, because
    /// that may be an accident; pictures that were changed; items that name no day.
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

    // MARK: The report

    /// The contents of the ``report``; `nil` if there is nothing to say.
    ///
    /// `editedPaths` are the paths of the pictures of favorites that a person changed. `unrepaired` are the links that the
    /// mirror may not replace.
    static func reportContents(
        held: [Favorite], editedPaths: [String], unrepaired: [FavoriteName],
        unrecognized: [UnrecognizedItem]
    ) -> String? {
        var paragraphs = held.isEmpty ? [] : Self.paragraphs(about: held)
        if !editedPaths.isEmpty {
            paragraphs += [
                "These pictures of favorites were changed. The originals come back, and what is there now moves to the"
                    + " hidden folder \(Layout.damaged) of the mirror. Edit copies: they are yours.",
                lines(editedPaths),
            ]
        }
        if !unrepaired.isEmpty {
            paragraphs += [
                "These links are not repaired, because the mirror may not write to their folders. Give each folder to the"
                    + " group of this one, and let it write (chgrp, chmod g+ws).",
                lines(unrepaired.map(\.text).limited(to: 100) { "and \($0) more" }),
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
        return (paragraphs + [endOfReport]).joined(separator: "\n\n")
    }

    private static func paragraphs(about held: [Favorite]) -> [String] {
        [
            "These favorites have no picture in this folder any more, but they are still favorites: so many went"
                + " at once, or the folder is another one, that it may be an accident.",
            lines(held.sorted { $0.day > $1.day }.map { "\($0.day) \($0.title ?? "")" }),
            "To keep one, put its picture or link back into this folder. To remove all of them from the favorites,"
                + " rename this text to",
            "  \(confirmation(of: held.map(\.day)))",
            "Deleting this text removes nothing.",
        ]
    }

    private static func lines(_ items: [String]) -> String {
        items.map { "  \($0.excerpt(400))" }.joined(separator: "\n")
    }

    private static let endOfReport =
        "The mirror keeps this text up to date, and deletes it when nothing is left to say.\n"

    /// Whether a file with these `bytes` is a ``report``, under whatever name.
    static func isReport(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(endOfReport.utf8.count).elementsEqual(endOfReport.utf8)
    }
}

extension ScannedItem {
    /// Whether it has the name of `text`.
    func isNamed(like text: FavoritesText) -> Bool { name.bytes.elementsEqual(text.name.utf8) }
}
