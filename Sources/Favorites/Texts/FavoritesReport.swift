internal import APOD
internal import Mirror
internal import Platform

/// What a person should check in `favorites/`, as the ``FavoritesText/report`` says it.
struct FavoritesReport {
    /// The favorites that stay although their items are gone, because that may be an accident.
    let held: [Favorite]
    /// The paths of the pictures of favorites that a person changed.
    let editedPaths: [String]
    /// The links that the mirror may not replace.
    let unrepaired: [FavoriteName]
    /// The items that name no day.
    let unrecognized: [UnrecognizedItem]

    /// The text of the report; `nil` if there is nothing to say.
    var contents: String? {
        let paragraphs = aboutHeld + aboutEdited + aboutUnrepaired + aboutUnrecognized
        return paragraphs.isEmpty
            ? nil : (paragraphs + [Self.end]).joined(separator: "\n\n")
    }

    private static let end =
        "The mirror keeps this text up to date, and deletes it when nothing is left to say.\n"

    /// Whether a file with these `bytes` is a report, under whatever name.
    static func isReport(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(end.utf8.count).elementsEqual(end.utf8)
    }

    // MARK: Paragraphs

    private var aboutHeld: [String] {
        guard !held.isEmpty else { return [] }
        return [
            "These favorites have no picture in this folder any more. They are still favorites, because that may be an"
                + " accident: for example, many went at once, or this is another folder than before.",
            lines(held.sorted { $0.day > $1.day }.map { "\($0.day) \($0.title ?? "")" }),
            "To keep one, put its picture or link back into this folder. To remove all of them from the favorites,"
                + " rename this text to",
            "  \(FavoritesText.confirmation(of: held.map(\.day)))",
            "Deleting this text removes nothing.",
        ]
    }

    private var aboutEdited: [String] {
        guard !editedPaths.isEmpty else { return [] }
        return [
            "These pictures of favorites were changed. The originals come back, and what is there now moves to the"
                + " hidden folder \(Layout.damaged) of the mirror. Edit copies: they are yours.",
            lines(editedPaths),
        ]
    }

    private var aboutUnrepaired: [String] {
        guard !unrepaired.isEmpty else { return [] }
        return [
            "These links are not repaired, because the mirror may not write to their folders. Give each folder to the"
                + " group of this one, and let it write (chgrp, chmod g+ws).",
            firstLines(unrepaired.map(\.text)),
        ]
    }

    private var aboutUnrecognized: [String] {
        guard !unrecognized.isEmpty else { return [] }
        return [
            "These items in this folder are no favorites:",
            firstLines(unrecognized.map { "\($0.name.text.excerpt(120)): \($0.reason)" }),
        ]
    }

    private func firstLines(_ items: [String]) -> String {
        lines(items.limited(to: 100) { "and \($0) more" })
    }

    private func lines(_ items: [String]) -> String {
        items.map { "  \($0.excerpt(400))" }.joined(separator: "\n")
    }
}
