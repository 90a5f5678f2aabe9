import Platform

/// Desktop notifications, for commands that a menu of a file manager runs.
enum DesktopNotice {
    private static let title = "APOD favorites"

    /// Shows a text with the first tool that succeeds; without any, nothing is shown.
    ///
    /// Without xmessage, which supports Latin-1 only. `path` is the variable `PATH`.
    static func show(_ text: String, isProblem: Bool, path: String?) async {
        let text = text.printable
        // notify-send and zenity interpret escape sequences; see g_strcompress() of GLib.
        let doubled = text.replacing("\\", by: "\\\\")
        // For Qt, which guesses whether a text is markup; see `Qt::mightBeRichText`.
        let rich = "<qt>\(text.htmlEscaped.replacing("\n", by: "<br>"))</qt>"
        let tools = [
            (
                "notify-send",
                [
                    "--app-name=apod-mirror", "--icon=emblem-favorite", "--", title,
                    // It interprets markup, too.
                    doubled.htmlEscaped,
                ]
            ),
            ("kdialog", ["--title", title, "--passivepopup", rich, "10"]),
            (
                "zenity",
                [
                    isProblem ? "--error" : "--info", "--title=\(title)", "--no-markup",
                    "--timeout=15", "--text=\(doubled)",
                ]
            ),
        ]
        for (name, arguments) in tools {
            if let tool = ExternalProgram(name, arguments, in: path),
                await tool.succeeds(within: .seconds(20))
            {
                return
            }
        }
    }
}
