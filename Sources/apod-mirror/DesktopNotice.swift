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
            if let tool = Command(name, arguments, in: path), await tool.run(limit: .seconds(20)) {
                return
            }
        }
    }

    /// Each takes it as words and not as markup; what opens a window closes it again.
    private var tools: [(String, [String])] {
        [
            (
                "notify-send",
                ["--app-name=apod-mirror", "--icon=emblem-favorite", "--", Self.title, marked]
            ),
            ("kdialog", ["--title", Self.title, "--passivepopup", text, "10"]),
            (
                "zenity",
                [
                    isProblem ? "--error" : "--info", "--title=\(Self.title)", "--no-markup",
                    "--timeout=15", "--text=\(text.replacing("\\", with: "\\\\"))",
                ]
            ),
            ("xmessage", ["-timeout", "15", text]),
        ]
    }

    /// The text for the servers that take it for markup.
    private var marked: String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
