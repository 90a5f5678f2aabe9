/// Recognizes the notes that follow an explanation by their labels, such as "Gallery:" and "Follow APOD on:".
///
/// The labels are those of the archive from 1995 to 2026. "Update:", "Tonight:" and "Editor's note:" are not among them,
/// because they may also begin a paragraph of the explanation: better a note that stays than an explanation that is cut.
enum NoteLabel {
    enum Kind {
        /// The note ends with its paragraph; more of the explanation may follow.
        case paragraph
        /// The foot of NASA's page begins here, and nothing of the explanation follows.
        case foot
    }

    /// The most words of a note with its label: those of the archive have at most 47, and a longer paragraph is no note.
    static let maximumWords = 60

    /// Whether `text`, which is bold and followed by a colon, is the label of a note.
    static func isKnown(_ text: some StringProtocol) -> Bool {
        let label = words(of: text)
        return labels.contains(label) || beginnings.contains(where: label.hasPrefix)
    }

    /// Whether `text`, which is not bold and followed by a colon, is the label of a note or of a credit.
    ///
    /// A label of one word does not count, because a sentence of the explanation may begin with "Note:" or "Watch:".
    static func isKnownWithoutBold(_ text: some StringProtocol) -> Bool {
        let label = words(of: text)
        let isCredit =
            Credit("\(text):").label != nil
            && [" credit ", " credits ", " copyright "].contains { label.hasSuffix($0) }
        // One word has two blanks around it.
        let hasSeveralWords = label.count { $0 == " " } > 2
        return isCredit || (hasSeveralWords && isKnown(text))
    }

    /// The kind of the note that begins with `text` without a label, such as "APOD has moved"; `nil` if it is no note.
    static func kind(ofUnlabeledNote text: some StringProtocol) -> Kind? {
        // The longest of these beginnings has 20 characters; white space between its words may take more.
        let beginning = words(of: text.prefix(60))
        if beginning.hasPrefix(" tomorrow s picture ") { return .foot }
        return unlabeledNotes.contains(where: beginning.hasPrefix) ? .paragraph : nil
    }

    /// The words in lower case, with blanks around them: "Tomorrow's picture:" becomes " tomorrow s picture ".
    private static func words(of text: some StringProtocol) -> String {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return " " + words.map { $0 + " " }.joined()
    }

    /// The beginnings of notes without a label, as ``words(of:)`` writes them.
    private static let unlabeledNotes = [
        " apod has moved ", " apod s email ", " apod s main ",
    ]

    /// Whole labels, as ``words(of:)`` writes them.
    private static let labels = Set(
        [
            "a service of", "almost hyperspace", "anniversary", "announcement", "ask me anything",
            "asow", "astronomy seminar of the week", "astrophysicists", "authors editors",
            "best astronomy images", "best short astronomy videos", "best space images", "browse",
            "browse or share", "budget universe", "challenge", "click hyperspace",
            "click through the universe", "cosmonova", "discovery outreach", "download", "explore",
            "follow", "galleries", "gallery", "growing galleries", "growing gallery",
            "help evaluate apod", "information", "interplanetary news", "jigsaw challenge",
            "jigsaw galaxy", "jigsaw moon", "jigsaw nebula", "jigsaw universe", "late news",
            "lecture", "lectures", "nasa coverage", "nasa remembers", "new mirror", "news",
            "news flash", "notable images", "note", "now available", "open science",
            "organize your universe", "participate", "poll", "piece together the universe",
            "portal universe", "presentation", "quiz", "random apod", "retrospective",
            "share the sky", "sky surprise", "slide set asow", "students", "students of all ages",
            "submitted to apod", "surf the universe", "teachers", "teachers students",
            "transparent science", "vote", "watch", "your sky surprise",
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
