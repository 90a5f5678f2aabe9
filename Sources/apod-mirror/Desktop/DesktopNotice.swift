import Platform

/// Desktop notifications, for commands that a menu of a file manager runs.
enum DesktopNotice {
    /// Shows a text with notify-send(1), which `path`, the variable `PATH`, has; else nothing is shown.
    static func show(_ text: String, path: String?) async {
        // It interprets markup, and escape sequences; see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let tool = ExternalProgram(
            "notify-send",
            [
                "--app-name=apod-mirror", "--icon=emblem-favorite", "--", "APOD favorites", body,
            ], in: path)
        _ = await tool?.succeeds(within: .seconds(20))
    }
}
