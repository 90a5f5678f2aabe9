import Platform

/// A few words shown on the desktop, for those who called a command by a menu and see no output.
struct DesktopNotice {
    private let text: String
    private let isProblem: Bool

    private static let title = "APOD favorites"

    init(text: String, isProblem: Bool) {
        self.text = text.printable
        self.isProblem = isProblem
    }

    /// Shows it by the first tool that can; where there is none, nobody is told.
    ///
    /// - Parameter path: The variable `PATH`.
    func show(path: String?) async {
        for (name, arguments) in tools {
            if let tool = ExternalProgram(name, arguments, in: path),
                await tool.run(limit: .seconds(20))
            {
                return
            }
        }
    }

    /// The best first; xmessage is none of them, for it shows no letters but Latin-1.
    private var tools: [(String, [String])] {
        [
            (
                "notify-send",
                [
                    "--app-name=apod-mirror", "--icon=emblem-favorite", "--", Self.title,
                    escaped.withDoubledBackslashes,
                ]
            ),
            ("kdialog", ["--title", Self.title, "--passivepopup", richText, "10"]),
            (
                "zenity",
                [
                    isProblem ? "--error" : "--info", "--title=\(Self.title)", "--no-markup",
                    "--timeout=15", "--text=\(text.withDoubledBackslashes)",
                ]
            ),
        ]
    }

    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;",
    ]

    /// The text for what takes it for markup.
    private var escaped: String { text.replacing(Self.entities) }

    /// The text for Qt, which guesses whether words are markup unless they say so; see
    /// `Qt::mightBeRichText`.
    private var richText: String { "<qt>\(escaped.replacing(["\n": "<br>"]))</qt>" }
}

extension String {
    /// The text for programs that replace escape sequences in it; see g_strcompress() of GLib.
    fileprivate var withDoubledBackslashes: String { replacing(["\\": "\\\\"]) }

    /// Replaces scalars, and not characters: a mark that combines with a `<` does not hide it.
    fileprivate func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
        unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
    }
}
