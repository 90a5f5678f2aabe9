import Glibc
import Platform

/// A virtual screen with two windows of a file manager, and a simulated
/// mouse.
final class Desktop: Sendable {
    private let home: String
    private let user: [String]
    private let screen: Program
    private let display: String

    /// Whether all required programs are installed.
    static let isPossible =
        ["Xvfb", "dbus-run-session", "xdotool"].allSatisfy(FileManager.isInstalled)
        && !FileManager.installed.isEmpty

    /// Starts a screen.
    ///
    /// - Parameters:
    ///   - home: The writable home directory of its user.
    ///   - user: The ID of its user, `nil` for the user who runs the tests.
    /// - Throws: The error that prevents its start.
    init(home: String, user: Int?) async throws {
        self.home = home
        self.user =
            user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        // It chooses a free display number and prints it; see Xserver(1).
        screen = try Program(
            ["Xvfb", "-displayfd", "1", "-ac", "-screen", "0", "1024x600x24"],
            environment: ["HOME": home])
        display = try await ":" + screen.output.wait(for: "\n").prefix { $0 != "\n" }
    }

    /// Starts a program that shows on the screen.
    private func start(_ command: [String]) throws -> Program {
        try Program(
            user + command,
            environment: [
                "DISPLAY": display, "GDK_BACKEND": "x11", "GIO_USE_VFS": "local",
                "GSETTINGS_BACKEND": "memory", "HOME": home, "LC_ALL": "C.UTF-8",
                "NO_AT_BRIDGE": "1", "XDG_RUNTIME_DIR": home,
            ])
    }

    /// Drags the first file of one folder into another.
    ///
    /// - Parameters:
    ///   - manager: The file manager.
    ///   - source: The path of the folder with the file.
    ///   - destination: The path of an empty folder.
    ///   - keys: The pressed keys, by their names in xdotool(1).
    /// - Throws: ``Unmoved`` if it had no effect.
    func drag(
        in manager: FileManager, from source: String, to destination: String, keys: [String]
    ) async throws {
        let folders = ["sh", source, destination]
        let windows = try start(["dbus-run-session", "--", "sh", "-c", manager.script] + folders)
        let hand = try start(["sh", "-c", Self.script(manager, keys)] + folders)
        let ending = try await hand.end()
        _ = try await windows.stop()
        guard ending.code == 0 else { throw Unmoved(ending: ending) }
    }

    /// A gesture had no effect.
    struct Unmoved: Error {
        let ending: Ending
    }

    /// Places the windows side by side, and drags until it has an effect: an existing window
    /// may not show its files yet.
    private static func script(_ manager: FileManager, _ keys: [String]) -> String {
        let press = keys.map { "keydown \($0)" }.joined(separator: " ")
        let release = keys.reversed().map { "keyup \($0)" }.joined(separator: " ")
        return """
            place() {
                xdotool search --sync --onlyvisible --name "\(manager.title)" \
                    windowsize 500 500 windowmove "$2" 0
            }
            place "$1" 0 && place "$2" 510 || exit 1
            for try in 1 2 3 4 5; do
                xdotool mousemove \(manager.place) sleep 0.2 mousedown 1 sleep 0.2 \
                    mousemove_relative 20 5 sleep 0.1 mousemove_relative 20 5 sleep 0.1 \
                    mousemove 840 300 sleep 0.1 \(press) mousemove 850 350 sleep 0.2 \
                    mousemove 852 350 sleep 0.2 mouseup 1 sleep 0.2 \(release)
                for wait in 1 2 3 4 5 6 7 8 9 10; do
                    [ -z "$(ls -A "$2")" ] || exit 0
                    sleep 0.2
                done
            done
            exit 1
            """
    }

    /// Stops it, and waits until its files are removed.
    func end() async throws {
        _ = try await screen.stop()
    }
}

/// Runs `body` with a screen.
nonisolated(nonsending) func withDesktop<Result>(
    home: String, user: Int? = nil, _ body: nonisolated(nonsending) (Desktop) async throws -> Result
) async throws -> Result {
    let desktop = try await Desktop(home: home, user: user)
    do {
        let result = try await body(desktop)
        try await desktop.end()
        return result
    } catch {
        try await desktop.end()
        throw error
    }
}
