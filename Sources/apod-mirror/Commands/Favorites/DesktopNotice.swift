import Platform

/// Desktop notifications, for commands that a menu of a file manager runs.
enum DesktopNotice {
    /// Shows a text by notify-send(1), if that is installed; `path` is the variable `PATH`.
    static func show(_ text: String, path: String?) async {
        // The server of the desktop interprets markup, and notify-send escape sequences; see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let arguments = [
            "--app-name=apod-mirror", "--icon=emblem-favorite", "--", "APOD favorites", body,
        ]
        _ = await ExternalProgram("notify-send", arguments, in: path)?.succeeds(
            within: .seconds(20))
    }
}
