import APOD
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// Favorites added by the paths of files, as from the menu of a file manager.
    @Suite(.timeLimit(.minutes(10))) struct AddCommandTests {
        private func add(
            _ files: [String], in site: Site, environment: [String: String] = [:]
        ) async throws -> Ending {
            try await site.start(["favorites", "add", "--"] + files, environment: environment).end()
        }

        private func links(_ root: String) throws -> [String: String] {
            let files = try TreeImage(of: root).files.filter { $0.key.hasPrefix("favorites/") }
            return files.mapValues { String(decoding: $0, as: UTF8.self) }
        }

        @Test func aFileIsAddedToTheMirrorThatContainsIt() async throws {
            try await withSite(days: 3) { site in
                let other = "\(site.folder)/another mirror"
                _ = try await site.mirror()
                _ = try await site.mirror(root: other)
                let (first, second) = (
                    try site.picture(of: Site.day(0)), try site.picture(of: Site.day(1))
                )

                let ending = try await add(
                    ["\(site.root)/\(first)", "\(other)/\(second)"], in: site,
                    environment: ["APOD_MIRROR_ROOT": "/nowhere"])

                // A command adds to one mirror, that of its first file.
                #expect(ending.code == 1 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains("\(other)/\(second) is not in this mirror"))
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

        @Test func invalidArgumentsDoNotPreventOthersFromBeingAdded() async throws {
            try await withMirroredSite(days: 3) { site in
                try site.write("x", to: "home/2026-11-20\nnot ours.jpg")
                let path = try site.picture(of: Site.day(2))

                let ending = try await add(
                    [
                        "\(site.home)/2026-11-20\nnot ours.jpg", "\(site.root)/pictures",
                        "\(site.root)/\(path)",
                    ], in: site)

                #expect(ending.code == 1)
                #expect(ending.sentences.count == 2, "\(ending)")
                #expect(ending.errors.contains("2026-11-20 not ours.jpg"))
                #expect(ending.errors.contains("“pictures”"))
                let links = try links(site.root)
                #expect(Array(links.values) == ["../\(path)"])
            }
        }

        // MARK: Another user than the mirror's

        /// Changes the owner of the mirror, and the mode of `favorites/`.
        private func giveAway(_ site: Site, favorites mode: UInt32) async throws {
            _ = try Directory(opening: site.root).makeDirectory("favorites")
            let chown = try Program(["chown", "-R", "65534", site.root], environment: [:])
            #expect(try await chown.end().code == 0)
            let favorites = "\(site.root)/favorites"
            try retryingInterrupts("chmod", path: favorites) { unsafe chmod(favorites, mode) }
        }

        /// Runs apod-mirror as a user who is neither root nor the owner of the mirror.
        private func asAnother(_ site: Site, _ words: [String]) async throws -> Ending {
            unsafe chmod(site.folder, 0o755)
            return try await site.end(words, asUser: 65533)
        }

        @Test(.enabled(if: mayBecomeOthers, "gives a mirror away"))
        func usersWhoMayWriteToFavoritesOnlyCanAddAndChangeNothingElse() async throws {
            try await withMirroredSite(days: 2) { site in
                try await giveAway(site, favorites: 0o777)
                let before = try site.tree()
                let path = try site.picture(of: Site.day(1))

                let ending = try await asAnother(
                    site, ["favorites", "add", "--", "\(site.root)/\(path)"])

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                let changed = try site.tree().files.filter { before.files[$0.key] != $0.value }
                let name = "favorites/\(Layout.split(path).name)"
                #expect(changed == [name: Array("../\(path)".utf8)])
            }
        }

        @Test(
            .enabled(if: mayBecomeOthers, "gives a mirror away"),
            arguments: [
                (0o755, "favorites/; run the command as the owner of that folder"),
                (0o2775, "join the group root"),
            ])
        func aUserWithoutWritePermissionGetsAdvice(mode: UInt32, advice: String) async throws {
            try await withMirroredSite(days: 2) { site in
                try await giveAway(site, favorites: mode)
                let before = try site.tree()

                let ending = try await asAnother(
                    site,
                    ["favorites", "add", "--", "\(site.root)/\(site.picture(of: Site.day(1)))"])

                #expect(ending.code == 1 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains(advice))
                let after = try site.tree()
                #expect(after == before)
            }
        }

        // MARK: On a desktop

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
