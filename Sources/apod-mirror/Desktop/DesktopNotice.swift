import Platform

/// A desktop notification, for commands that a menu of a file manager runs.
struct DesktopNotice {
    private let text: String
    private let isProblem: Bool

    private static let title = "APOD favorites"

    init(text: String, isProblem: Bool) {
        self.text = text.printable
        self.isProblem = isProblem
    }

    /// Shows it with the first tool that succeeds; without any, nothing is shown.
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

    /// In order of preference.
    ///
    /// Without xmessage, which supports Latin-1 only.
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

    /// The text for tools that interpret markup.
    private var escaped: String { text.htmlEscaped }

    /// The text for Qt, which guesses whether a text is markup; see
    /// `Qt::mightBeRichText`.
    private var richText: String { "<qt>\(escaped.replacing("\n", by: "<br>"))</qt>" }
}

extension String {
    /// The text for programs that interpret escape sequences; see g_strcompress() of GLib.
    fileprivate var withDoubledBackslashes: String { replacing("\\", by: "\\\\") }
}
