import APOD
import Glibc
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// Favorites added by the paths of files, as from the menu of a file manager.
    @Suite(.timeLimit(.minutes(10))) struct AddCommandTests {
        private func links(_ root: String) throws -> [String: String] {
            let files = try TreeImage(of: root).files.filter { $0.key.hasPrefix("favorites/") }
            return files.mapValues { String(decoding: $0, as: UTF8.self) }
        }

        @Test(arguments: [["show"], ["verify"], ["favorites", "add"]])
        func whatIsNoDayIsWrongUsage(command: [String]) async throws {
            try await withMirroredSite(days: 1) { site in
                let ending = try await site.read(command + ["nonsense"])

                #expect(ending.code == 2 && ending.errors.contains("“nonsense”"), "\(ending)")
            }
        }

        /// A command adds to one mirror, that of its first file which is in one.
        @Test func filesAreAddedToTheMirrorThatContainsThem() async throws {
            try await withSite(days: 3) { site in
                let other = "\(site.folder)/another mirror"
                _ = try await site.mirror()
                _ = try await site.mirror(root: other)
                try site.write("x", to: "home/2026-11-20\nnot ours.jpg")
                let first = try site.picture(of: Site.day(0))
                let second = try site.picture(of: Site.day(1))

                let ending = try await site.start(
                    [
                        "favorites", "add", "--", "\(site.home)/2026-11-20\nnot ours.jpg",
                        "\(site.root)/pictures", "\(site.root)/\(first)", "\(other)/\(second)",
                    ], environment: ["APOD_MIRROR_ROOT": "/nowhere"]
                ).end()

                #expect(ending.code == 1 && ending.sentences.count == 3, "\(ending)")
                for words in [
                    "2026-11-20 not ours.jpg", "“pictures”",
                    "\(other)/\(second) is not in this mirror",
                ] {
                    #expect(ending.errors.contains(words), "\(ending)")
                }
                let name = Layout.split(first).name
                #expect(ending.output == "added: \(name)\n")
                #expect(try links(site.root) == ["favorites/\(name)": "../\(first)"])
                #expect(try !links(other).values.contains("../\(second)"))
            }
        }

        @Test func filesInTheCurrentDirectoryAreAddedByTheirNames() async throws {
            let names = [
                "-n dash.jpg", "two\nlines.jpg", "a'b\"c.jpg", "$(touch x) `y` 100% %f %s \\.jpg",
                "é ☆.jpg",
            ]
            try await withSite(days: names.count) { site in
                _ = try await site.mirror()
                let folder = try Directory(opening: site.folder)
                let paths = try names.indices.map { try site.picture(of: Site.day($0)) }
                for (name, path) in zip(names, paths) {
                    try folder.symlink(name, to: "\(site.root)/\(path)")
                }

                // From within the directory, by the names only.
                let words = ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "in", site.folder]
                let ending = try await site.command(
                    words + [Program.path, "favorites", "add", "--"] + names)

                #expect(ending.code == 0, "\(ending)")
                #expect(try Set(links(site.root).values) == Set(paths.map { "../\($0)" }))
            }
        }

        /// A user who is neither root nor the owner of the mirror adds where they may write to `favorites/`.
        @Test(
            .enabled(if: mayBecomeOthers, "gives a mirror away"),
            arguments: [
                ("00777", nil),
                ("00755", "favorites/; run the command as the owner of that folder"),
                ("02775", "join the group root"),
            ] as [(String, String?)])
        func anotherUserAddsOrGetsAdvice(mode: String, advice: String?) async throws {
            try await withMirroredSite(days: 2) { site in
                let given = try await site.shell(
                    """
                    cd "$APOD_MIRROR_ROOT" && mkdir -p favorites && chown -R 65534 . \
                        && chmod \(mode) favorites && chmod 755 ..
                    """)
                #expect(given.code == 0, "\(given)")
                let before = try site.tree()
                let path = try site.picture(of: Site.day(1))

                let ending = try await site.end(
                    ["favorites", "add", "--", "\(site.root)/\(path)"], asUser: 65533)

                let changed = try site.tree().files.filter { before.files[$0.key] != $0.value }
                if let advice {
                    #expect(ending.code == 1 && ending.sentences.count == 1, "\(ending)")
                    #expect(ending.errors.contains(advice) && changed == [:])
                } else {
                    #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                    let name = "favorites/\(Layout.split(path).name)"
                    #expect(changed == [name: Array("../\(path)".utf8)])
                }
            }
        }

        /// A member of the group may leave them to the daemon, whose user has no other that writes them.
        @Test(.enabled(if: mayBecomeOthers, "gives a mirror away"), arguments: ["add", "remove"])
        func theOwnerIsToldThatTheRecordCannotBeWritten(action: String) async throws {
            try await withMirroredSite(days: 2) { site in
                let day = "\(Site.day(1))"
                if action == "remove" { _ = try await site.read("favorites", "add", day) }
                let given = try await site.shell(
                    """
                    cd "$APOD_MIRROR_ROOT" && mkdir -p favorites && chown -R 65534 . && chmod 755 .. \
                        && chmod 777 favorites && chmod 444 \(Layout.own)/lock
                    """)
                #expect(given.code == 0, "\(given)")
                let words = ["favorites", action, day, "--root", site.root]

                let ending = try await site.end(words, asUser: 65534)
                let other = try await site.end(
                    ["favorites", "add", "\(Site.day(0))", "--root", site.root], asUser: 65533)

                #expect(ending.code == 4 && ending.sentences.count == 1, "\(ending)")
                #expect(
                    ending.errors.contains("\(Layout.own)/lock: Permission denied"), "\(ending)")
                #expect(other.code == 0 && other.errors == "", "\(other)")
            }
        }

        // MARK: On a desktop

        @Test func aSecondNotificationSaysThatTheDayWasAFavoriteAlready() async throws {
            try await withMirroredSite(days: 1) { site in
                let path = try site.picture(of: Site.day(0))
                try site.makeTool("notify-send", "printf '%s|' \"$@\" >> '\(site.folder)/shown'")
                func add() async throws -> String {
                    let ending = try await site.start(
                        ["favorites", "add", "--notify", "--", "\(site.root)/\(path)"],
                        environment: ["PATH": site.tools]
                    ).end()
                    #expect(ending.code == 0, "\(ending)")
                    let shown = try Directory(opening: site.folder).read("shown") ?? []
                    return String(decoding: shown, as: UTF8.self)
                }

                #expect(try await !add().contains("already"))
                #expect(try await add().contains("already"))
            }
        }

        /// notify-send interprets escape sequences, and the desktop markup.
        @Test func notifyShowsTheResultOnTheDesktopAsText() async throws {
            try await withMirroredSite(days: 1) { site in
                let path = try site.picture(of: Site.day(0))
                let name = "<img src=x> & \\n \u{1b}[31m\u{202e}x <\u{301}i>"
                try site.write("x", to: name)
                try site.makeTool("notify-send", "printf '%s|' \"$@\" >> '\(site.folder)/shown'")

                let ending = try await site.start(
                    [
                        "favorites", "add", "--notify", "--", "\(site.root)/\(path)",
                        "\(site.folder)/\(name)",
                    ],
                    environment: ["PATH": site.tools]
                ).end()

                #expect(ending.code == 1, "\(ending)")
                let shown = try #require(try Directory(opening: site.folder).read("shown"))
                let text = String(decoding: shown, as: UTF8.self)
                #expect(text.contains("--|APOD favorites|"))
                #expect(text.contains("★ \(Layout.split(path).name)"))
                #expect(text.contains("&lt;img src=x&gt; &amp; \\\\n"), "\(text)")
                #expect(!text.unicodeScalars.contains("<"), "\(text)")
                #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"), "\(text)")
            }
        }
    }
}

extension Site {
    /// A variable `PATH` that has the tools which ``makeTool(_:_:)`` made, and no others.
    var tools: String { "\(folder)/tools" }

    /// Creates a tool: a shell script.
    func makeTool(_ name: String, _ script: String) throws {
        try write("#!/bin/sh\n\(script)\n", to: "tools/\(name)")
        let path = "\(folder)/tools/\(name)"
        try retryingInterrupts("chmod", path: path) { unsafe chmod(path, 0o755) }
    }
}
