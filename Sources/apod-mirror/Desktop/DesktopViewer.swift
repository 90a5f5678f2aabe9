import CommandLine
import Platform

/// The program that the desktop opens pictures with, started by xdg-open(1).
enum DesktopViewer {
    /// How long xdg-open may take; without a desktop that it knows, it runs as long as the viewer.
    private static let limit = Duration.seconds(5)

    /// Opens the file at an absolute path; `path` is the variable `PATH`.
    ///
    /// - Throws: ``CommandError`` if xdg-open is missing or fails.
    static func open(_ file: String, path: String?) async throws {
        guard let opener = ExternalProgram("xdg-open", [file], in: path) else {
            throw CommandError(
                "cannot open \(file.printable): xdg-open is not installed; install the package xdg-utils"
            )
        }
        guard let ending = try await opener.start(waiting: limit), ending != .exit(code: 0)
        else { return }
        let result =
            switch ending {
            case .exit(let code): "xdg-open exited with code \(code)"
            case .signal(let signal): "signal \(signal) ended xdg-open"
            }
        throw CommandError(
            "cannot open \(file.printable): \(result); is this a desktop session, with a viewer for this type of file?"
        )
    }
}
