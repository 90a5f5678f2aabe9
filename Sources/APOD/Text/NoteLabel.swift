/// Recognizes the notes that follow an explanation by their labels, such as "Gallery:" and "Follow APOD on:".
///
/// The labels are those in the archive's entries from 1995 to 2026. Some that may also begin a paragraph of the
/// explanation, such as "Update:" and "Tonight:", are left out: a note that stays is better than a text that is cut.
enum NoteLabel {
    /// Whether `text`, without a colon, is the label of a note.
    static func isKnown(_ text: some StringProtocol) -> Bool {
        let label = words(of: text)
        return labels.contains(label) || beginnings.contains(where: label.hasPrefix)
    }

    /// Whether `text` begins a note that has no label.
    static func beginsUnlabeledNote(_ text: some StringProtocol) -> Bool {
        // The longest of these beginnings has 20 characters; white space between its words may take more.
        let beginning = words(of: text.prefix(60))
        return unlabeledNotes.contains(where: beginning.hasPrefix)
    }

    /// The words in lower case, each with a blank before and after it: those of "Tomorrow's" are "tomorrow" and "s".
    private static func words(of text: some StringProtocol) -> String {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return " " + words.map { $0 + " " }.joined()
    }

    /// The beginnings of notes without a label, as ``words(of:)`` writes them.
    private static let unlabeledNotes = [
        " tomorrow s picture ", " apod has moved ", " apod s email ", " apod s main ",
    ]

    /// Whole labels, as ``words(of:)`` writes them.
    private static let labels = Set(
        [
            "a service of", "almost hyperspace", "anniversary", "announcement", "ask me anything",
            "asow", "astronomy seminar of the week", "astrophysicists", "authors editors",
            "best astronomy images", "best short astronomy videos", "best space images", "browse",
            "browse or share", "budget universe", "challenge", "click hyperspace",
            "click through the universe", "cosmonova", "discovery outreach", "download",
            "editor s note", "editors note", "explore", "follow", "galleries", "gallery",
            "growing galleries", "growing gallery", "help evaluate apod", "information",
            "interplanetary news", "late news", "lecture", "lectures", "nasa coverage",
            "nasa remembers", "new mirror", "news", "news flash", "notable images", "note",
            "now available", "open science", "organize your universe", "participate", "poll",
            "presentation", "quiz", "random apod", "retrospective", "share the sky",
            "slide set asow", "students", "students of all ages", "submitted to apod",
            "surf the universe", "teachers", "transparent science", "vote", "watch",
            "your sky surprise",
        ].map { " \($0) " })

    /// The beginnings of labels that continue in several ways, such as "Follow APOD in Spanish:".
    private static let beginnings = [
        "apod across", "apod calendar", "apod challenge", "apod collection", "apod editor to speak",
        "apod editors to speak", "apod event", "apod galleries", "apod gallery", "apod in",
        "apod is also available", "apod lecture", "apod lectures", "apod news", "apod podcasts",
        "apod poll", "apod presents", "apod public talk", "apod retrospective", "apod talk",
        "apod update", "apod wall calendar", "apod year in review", "best of apod",
        "explore the universe", "explore your universe", "follow apod", "free apod lecture",
        "free apod lectures", "free download", "free lecture", "free lectures",
        "free presentation", "notable images submitted",
    ].map { " \($0) " }
}
