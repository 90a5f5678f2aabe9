import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Commands of root on the mirror of another user.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: mayBecomeOthers)) struct OwnerTests {
        private static let owner = "65534"

        private nonisolated(nonsending) func withForeignMirror(
            _ body: nonisolated(nonsending) (Site) async throws -> Void
        ) async throws {
            try await withSite { site in
                #expect(try await site.mirror().code == 0)
                // The new user does not use the home directory of root.
                #expect(
                    try await site.shell(
                        "chmod 755 .. . && chown -R \(Self.owner) $APOD_MIRROR_ROOT"
                    )
                    .code == 0)
                unsafe chmod(site.folder, 0o755)
                try await body(site)
            }
        }

        /// The files of root in the mirror.
        private func rootsOwn(_ site: Site) async throws -> String {
            try await site.shell("find $APOD_MIRROR_ROOT -uid 0").output
        }

        @Test func rootCreatesNoFilesOfRootInTheMirror() async throws {
            try await withForeignMirror { site in
                let days = (0..<4).map { "\(Site.day($0))" }
                let list = "\(site.folder)/list"
                try site.write("\(days[2])\n", to: "list")
                unsafe chmod(list, 0o644)
                let commands = [
                    ["favorites", "add", days[0], days[1]], ["favorites", "remove", days[0]],
                    ["favorites", "import", list], ["favorites", "restore"],
                    ["favorites", "remove", "--held"],
                    ["favorites", "list"], ["doctor", "--offline"],
                    ["status"], ["show", "latest"], ["search", "a"],
                ]
                for words in commands {
                    let ending = try await site.start(words + ["--root", site.root]).end()

                    #expect(ending.code == 0, "\(words): \(ending)")
                    #expect(try await rootsOwn(site) == "", "\(words)")
                }
            }
        }

        /// The home directory is open to one user, the mirror belongs to another one without an account.
        @Test func rootReachesAMirrorInAClosedHome() async throws {
            try await withSite { site in
                let home = "\(site.folder)/ada"
                let root = "\(home)/Pictures/APOD"
                #expect(try await site.mirror(root: root).code == 0)
                let ending = try await site.shell(
                    "mkdir '\(site.folder)/source' && chown 65533 '\(home)' && chmod 700 '\(home)'"
                        + " && chown -R 65532 '\(root)'")
                #expect(ending.code == 0, "\(ending)")
                unsafe chmod(site.folder, 0o755)
                let picture = try #require(try site.tree(root).pictures.first)
                let commands = [
                    ["run", "--once"] + site.settings(root: root),
                    ["status", "--root", root],
                    ["favorites", "add", "latest", "--root", root],
                    ["favorites", "add", "\(root)/\(picture)"],
                    ["favorites", "list", "--root", root],
                    ["favorites", "remove", "--held", "--root", root],
                    ["show", "latest", "--root", root],
                    ["verify", "--root", root], ["verify", "--repair", "--root", root],
                    ["adopt", "--dry-run", "\(site.folder)/source", "--root", root],
                    ["doctor", "--offline", "--root", root],
                ]
                for words in commands {
                    let ending = try await site.start(words).end()

                    #expect(ending.code == 0, "\(words): \(ending)")
                }
                let files = try await site.shell("find '\(root)' ! -uid 65532")
                #expect(files.code == 0 && files.output == "", "\(files)")
                #expect(try site.tree(root).files.keys.count { $0.hasPrefix("favorites/") } == 2)
            }
        }

        @Test func syncingAsRootCreatesNoFilesOfRoot() async throws {
            try await withForeignMirror { site in
                let ending = try await site.mirror()
                #expect(ending.code == 0, "\(ending)")
                site.simulator.resetLog()
                // A new day to write.
                let gone = try #require(try site.tree().pictures.last)
                #expect(unsafe unlink("\(site.root)/\(gone)") == 0)

                #expect(try await site.mirror().code == 0)

                #expect(try await rootsOwn(site) == "")
                #expect(try site.tree().complete.count == 10)
            }
        }

        @Test func addingAFileByPathSwitchesToItsOwner() async throws {
            try await withForeignMirror { site in
                let path = try #require(try site.tree().pictures.last)

                let ending = try await site.end("favorites", "add", "--", "\(site.root)/\(path)")

                #expect(ending.code == 0, "\(ending)")
                #expect(try await rootsOwn(site) == "")
            }
        }

        @Test func withoutPermissionToBecomeTheOwnerNothingIsChanged() async throws {
            try await withForeignMirror { site in
                let before = try site.tree()

                let ending = try await site.command([
                    "setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-setuid,-setgid",
                    Program.path, "favorites", "add", "latest", "--root", site.root,
                ])

                #expect(ending.code == 4 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains(site.root))
                #expect(try site.tree() == before)
            }
        }

        @Test func rootKeepsItsOwnMirror() async throws {
            try await withSite(days: 2) { site in
                _ = try await site.mirror()

                let ending = try await site.start([
                    "favorites", "add", "latest", "--root", site.root,
                ])
                .end()

                #expect(ending.code == 0, "\(ending)")
                #expect(try await site.shell("find $APOD_MIRROR_ROOT ! -uid 0").output == "")
            }
        }

        /// In the sticky one only its own links can be deleted; see unlink(2).
        @Test(arguments: ["755", "1777"])
        func aFavoriteWithALinkInAFolderOfAnotherUserIsNotRemovedInPart(
            mode: String
        ) async throws {
            try await withForeignMirror { site in
                let day = "\(Site.today)"
                let picture = try #require(
                    try site.tree().pictures.first { $0.contains("/\(day) ") })
                #expect(try await site.read("favorites", "add", day).code == 0)
                let album = "mkdir -m \(mode) zoo && ln -s '../../\(picture)' zoo/one.jpg"
                let ending = try await site.shell("cd $APOD_MIRROR_ROOT/favorites && \(album)")
                #expect(ending.code == 0, "\(ending)")
                let before = try site.tree().files.filter { $0.key.hasPrefix("favorites/") }

                let removal = try await site.read("favorites", "remove", day)

                #expect(removal.code == 1 && removal.sentences.count == 1, "\(removal)")
                #expect(removal.errors.contains("may not write to favorites/zoo/;"), "\(removal)")
                let after = try site.tree().files.filter { $0.key.hasPrefix("favorites/") }
                #expect(before.count == 2 && after == before)
            }
        }
    }
}

/// Whether the tests run as root, and other users may run the program.
let mayBecomeOthers: Bool = {
    let line = "setpriv --reuid=65534 --clear-groups test -x '\(Program.path)'"
    return unsafe system(line) == 0 && geteuid() == 0
}()
