import Glibc
import Mirror
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

    /// What a file manager does with pasted files.
    enum Transfer: String {
        case copy, cut
    }

    /// The type of copied files on the clipboard.
    private static let copiedFiles = "x-special/gnome-copied-files"

    let folder: String
    private let kind: Kind
    private let site: Site
    private let environment: [String: String]
    private let window: String

    /// Runs `body` with a window that shows `folder`, and another one on the same screen for the folder `other`.
    nonisolated(nonsending) static func with(
        _ kind: Kind, showing folder: String, beside other: String? = nil, for site: Site,
        _ body: nonisolated(nonsending) (FileManagerWindow) async throws -> Void
    ) async throws {
        // Without a file in /tmp, which a killed server would leave. It refuses nobody after a first tool has disconnected.
        let screen = try Program(
            [
                "Xvfb", "-displayfd", "1", "-nolock", "-nolisten", "unix", "-nolisten", "tcp",
                "-noreset", "-screen", "0", "1000x700x24",
            ], environment: [:])
        let display = try await screen.output.wait(for: "\n").split(separator: "\n")[0]
        let home = "\(site.folder)/desktop\(display)"
        _ = try Directory(opening: site.folder).createDirectory("desktop\(display)", mode: 0o700)
        let environment = [
            "DISPLAY": ":\(display)", "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8",
            "GIO_USE_VFS": "local", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        ]
        let session = try Program(
            ["dbus-run-session", "--", kind.rawValue, folder] + [other].compactMap(\.self),
            environment: environment)
        do {
            let words =
                other == nil ? ["--class", kind.rawValue] : ["--name", title(of: folder)]
            let window = try await polled { try await windows(words, environment).first }
            try await body(
                FileManagerWindow(
                    folder: folder, kind: kind, site: site, environment: environment,
                    window: window))
        } catch {
            Issue.record(error)
        }
        // Returns when the last process of the session has ended, which writes to its home directory until then.
        _ = try await session.stop()
        _ = try await screen.stop()
    }

    /// The beginning of the title of a window.
    private static func title(of folder: String) -> String { "^\(Layout.split(folder).name)" }

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

    // MARK: What a person does

    /// Pastes files that another window has copied or cut.
    func paste(_ transfer: Transfer, _ paths: [String]) async throws {
        // It forgets a key that comes before it has listed its folder, or that it takes for one without a use yet.
        try await listsAll()
        let files = paths.map { "file://\($0.percentEncoded(keeping: "-._~/"))" }
        let text = ([transfer.rawValue] + files).joined(separator: "\n")
        try site.write(text, to: "clipboard")
        let owner = try Program(
            [
                "xclip", "-quiet", "-selection", "clipboard", "-t", Self.copiedFiles,
                "\(site.folder)/clipboard",
            ], environment: environment)
        try await polled { try await clipboard(as: Self.copiedFiles) == text ? () : nil }
        try await press("ctrl+v")
        let folder = try Directory(opening: folder)
        try await polled {
            try paths.allSatisfy { path in
                try folder.status(path.split(separator: "/").last.map(String.init) ?? "") != nil
            } ? () : nil
        }
        owner.signal(SIGTERM)
    }

    /// Drags the first item of the folder `other`, which another window shows, onto the first one here, the folder `target`,
    /// as a hand with a mouse, while `keys` are held.
    ///
    /// - Returns: The name of the item, once it is there.
    func drop(
        firstOf other: String, into target: String, holding keys: [String]
    ) async throws -> String {
        let name = try #require(try Directory(opening: other).textNames().sorted().first)
        let goal = try Directory(opening: "\(folder)/\(target)")
        let source = try await polled {
            try await Self.windows(["--name", Self.title(of: other)], environment).first
        }
        for (window, left) in [(window, "0"), (source, "500")] {
            _ = try await xdotool(
                "windowsize", window, "490", "560", "windowmove", window, left, "0")
        }
        let pause = ["sleep", "0.1"]
        let start =
            ["mousemove", "740", "125"] + pause + ["mousedown", "1"] + pause
            + ["mousemove_relative", "10", "10"] + pause
            // Held before the drag begins, they select.
            + keys.flatMap { ["keydown", $0] }
        let end =
            pause + ["mousemove", "400", "130"] + pause + ["mousemove", "240", "130"] + pause
            + ["mousemove", "230", "125"] + pause + ["mouseup", "1"]
            + keys.flatMap { ["keyup", $0] }
        // A window that is not ready takes it for another gesture.
        try await polled {
            _ = try await xdotool(start + end)
            for _ in 0..<400 where try goal.status(name) == nil {
                try await LoopClock().sleep(for: .milliseconds(5))
            }
            return try goal.status(name) != nil ? () : nil
        }
        return name
    }

    /// Deletes all items for good, as where there is no trash.
    func deleteAll() async throws {
        try await listsAll()
        try await press("ctrl+a", "shift+Delete")
        _ = try await polled { try await question() }
        // A question that has no keyboard yet forgets the first one.
        try await polled {
            guard try !names().isEmpty else { return () }
            if try await question() != nil { try await press("Return") }
            return nil
        }
    }

    /// Renames its only item.
    func rename(_ name: String, to newName: String) async throws {
        let items = try Directory(opening: folder)
        guard kind != .thunar else {
            try await press("Escape", "ctrl+a", "F2")
            let dialog = try await polled { try await question() }
            _ = try await xdotool("windowfocus", "--sync", dialog, "key", "ctrl+a")
            _ = try await xdotool("type", newName)
            _ = try await xdotool("key", "Return")
            return
        }
        // It may know only after a moment that an item is selected, and what changes an item ends its renaming.
        try await polled {
            guard try items.status(name) != nil else { return () }
            try await press("Escape", "ctrl+a", "F2", "ctrl+a", "ctrl+c")
            if try await clipboard(as: "UTF8_STRING") == name {
                _ = try await xdotool("type", newName)
                try await press("Return")
                // Keys that come before the item is renamed end that.
                for _ in 0..<400 where try items.status(name) != nil {
                    try await LoopClock().sleep(for: .milliseconds(5))
                }
            }
            return nil
        }
    }

    // MARK: Tools

    /// The window in which it asks; `nil` if it asks nothing now.
    private func question() async throws -> String? {
        try await Self.windows(["--class", kind.rawValue], environment).first { $0 != window }
    }

    /// The visible windows that `words` describe; none if a window closes during the search, which ends it with an error.
    private static func windows(
        _ words: [String], _ environment: [String: String]
    ) async throws -> [String] {
        let search = try await Program.run(
            ["xdotool", "search", "--onlyvisible"] + words, environment: environment)
        return search.code == 0 ? search.output.split(separator: "\n").map(String.init) : []
    }

    private func press(_ keys: String...) async throws {
        _ = try await xdotool(["windowfocus", "--sync", window, "key"] + keys)
    }

    private func xdotool(_ words: String...) async throws -> String { try await xdotool(words) }

    private func xdotool(_ words: [String]) async throws -> String {
        let ending = try await Program.run(["xdotool"] + words, environment: environment)
        try #require(ending.code == 0, "\(ending)")
        return ending.output
    }

    /// What the clipboard has as `type`; `nil` if that is nothing.
    private func clipboard(as type: String) async throws -> String? {
        let ending = try await Program.run(
            ["xclip", "-o", "-selection", "clipboard", "-t", type], environment: environment)
        return ending.code == 0 ? ending.output : nil
    }
}
