import Glibc
import Platform
import ProgramTesting
import Testing

/// A window of a file manager, on a screen of its own in memory.
///
/// What it lists is read as any program would: all is selected and copied, and the clipboard has the paths.
struct FileManagerWindow {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case thunar, nemo, pcmanfm

        var testDescription: String { rawValue }

        /// Those that are installed; why others are not tried is printed once.
        static let usable = wanted.filter { kind in
            let folders = (processEnvironment()["PATH"] ?? "").split(separator: ":")
            let missing = ([kind.rawValue] + tools).filter { program in
                !folders.contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
            }
            if !missing.isEmpty {
                print("Skipped: \(kind.rawValue): \(missing.joined(separator: ", ")) is missing")
            }
            return missing.isEmpty
        }

        private static let tools = ["Xvfb", "dbus-run-session", "xclip", "xdotool"]

        private static var wanted: [Kind] {
            processEnvironment()["APOD_MIRROR_DESKTOP"] == nil ? [] : allCases
        }
    }

    /// The type of copied files on the clipboard.
    private static let copiedFiles = "x-special/gnome-copied-files"

    let folder: String
    private let environment: [String: String]
    private let window: String

    /// Runs `body` with a window that shows `folder`.
    nonisolated(nonsending) static func with(
        _ kind: Kind, showing folder: String, for site: Site,
        _ body: nonisolated(nonsending) (FileManagerWindow) async throws -> Void
    ) async throws {
        // Without a file in /tmp, which a killed server would leave.
        let screen = try Program(
            [
                "Xvfb", "-displayfd", "1", "-nolock", "-nolisten", "unix", "-nolisten", "tcp",
                "-screen", "0", "1000x700x24",
            ], environment: [:])
        let display = try await screen.output.wait(for: "\n").split(separator: "\n")[0]
        let home = "\(site.folder)/desktop\(display)"
        _ = try Directory(opening: site.folder).createDirectory("desktop\(display)", mode: 0o700)
        let environment = [
            "DISPLAY": ":\(display)", "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8",
            "GIO_USE_VFS": "local", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        ]
        let session = try Program(
            ["dbus-run-session", "--", kind.rawValue, folder], environment: environment)
        do {
            let found = try await Program.run(
                ["xdotool", "search", "--sync", "--onlyvisible", "--class", kind.rawValue],
                environment: environment)
            let window = try #require(found.output.split(separator: "\n").first, "\(found)")
            try await body(
                FileManagerWindow(
                    folder: folder, environment: environment,
                    window: String(window)))
        } catch {
            Issue.record(error)
        }
        // Returns when the last process of the session has ended, which writes to its home directory until then.
        _ = try await session.stop()
        _ = try await screen.stop()
    }

    // MARK: What it shows

    /// The visible names in its folder.
    func names() throws -> Set<String> {
        Set(try Directory(opening: folder).textNames().filter { !$0.hasPrefix(".") })
    }

    /// Returns once it lists all that is in its folder.
    func listsAll() async throws {
        try await polled { try await items() == names() ? () : nil }
    }

    /// Its items as soon as `name` is one of them.
    func firstItems(with name: String) async throws -> Set<String> {
        try await polled {
            let items = try await items()
            return items.contains(name) ? items : nil
        }
    }

    private func items() async throws -> Set<String> {
        try await press("Escape", "ctrl+a", "ctrl+c")
        // pcmanfm ends the text as C does.
        let lines = try await clipboard(as: Self.copiedFiles)?.split { "\n\0".contains($0) } ?? []
        return Set(
            lines.dropFirst().compactMap { $0.split(separator: "/").last.map(Self.percentDecoded) })
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Tools

    private func press(_ keys: String...) async throws {
        let ending = try await Program.run(
            ["xdotool", "windowfocus", "--sync", window, "key"] + keys, environment: environment)
        try #require(ending.code == 0, "\(ending)")
    }

    /// What the clipboard has as `type`; `nil` if that is nothing.
    private func clipboard(as type: String) async throws -> String? {
        let ending = try await Program.run(
            ["xclip", "-o", "-selection", "clipboard", "-t", type], environment: environment)
        return ending.code == 0 ? ending.output : nil
    }
}
