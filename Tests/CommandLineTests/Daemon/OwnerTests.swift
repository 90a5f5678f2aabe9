import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Commands of root on the mirror of another user, who could neither change nor remove files of root.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: mayBecomeOthers)) struct OwnerTests {
        private static let owner = "65534"

        private nonisolated(nonsending) func withForeignMirror(
            _ body: nonisolated(nonsending) (Site) async throws -> Void
        ) async throws {
            try await withSite { site in
                #expect(try await site.mirror().code == 0)
                // The owner does not use the home directory of root.
                let given = try await site.shell(
                    "chmod 755 .. . '\(site.folder)' && chown -R \(Self.owner) $APOD_MIRROR_ROOT")
                #expect(given.code == 0, "\(given)")
                try await body(site)
            }
        }

        @Test func rootReadsTheMirrorOfAnotherUser() async throws {
            try await withForeignMirror { site in
                let commands = [
                    ["status"], ["show", "latest"], ["search", "a"], ["favorites", "list"],
                    ["verify"], ["doctor", "--offline"],
                    ["run", "--once", "--dry-run"],
                ]
                for words in commands {
                    let ending = try await site.read(words)

                    #expect(ending.code == 0, "\(words): \(ending)")
                }
                let files = try await site.shell("find $APOD_MIRROR_ROOT -uid 0")
                #expect(files.output == "", "\(files)")
            }
        }

        @Test func aWritingCommandOfRootNamesTheCommandOfTheOwner() async throws {
            try await withForeignMirror { site in
                let before = try site.tree()
                let day = "\(Site.day(0))"
                let picture = try #require(before.pictures.last)
                _ = try Directory(opening: site.folder).makeDirectory("source")
                let commands = [
                    ["run", "--once"] + site.settings(),
                    ["favorites", "add", day], ["favorites", "remove", day],
                    ["favorites", "restore"],
                    ["favorites", "add", "--", "\(site.root)/\(picture)"],
                    ["verify", "--repair"], ["adopt", "\(site.folder)/source"],
                ]
                let user = Account.name(ofUser: UInt32(Self.owner) ?? 0)
                for words in commands {
                    let ending = try await site.start(
                        words, environment: ["APOD_MIRROR_ROOT": site.root]
                    ).end()

                    #expect(ending.code == 4 && ending.sentences.count == 1, "\(words): \(ending)")
                    #expect(
                        ending.errors.contains("“sudo -u \(user) apod-mirror \(words[0]) "),
                        "\(ending)")
                    #expect(ending.errors.contains("--root \(site.root)"), "\(ending)")
                    #expect(try site.tree() == before, "\(words)")
                }
            }
        }

        /// As a container with another user on the mirror of the service: a permission would not help.
        @Test func anotherUserIsToldWhoHasTheMirrorOpen() async throws {
            try await withSite { site in
                let program = try await site.daemon()
                unsafe chmod(site.folder, 0o755)
                _ = try Directory(opening: site.folder).makeDirectory("source")
                let commands = [
                    ["verify", "--repair"], ["adopt", "\(site.folder)/source"],
                ]
                for words in commands {
                    let ending = try await site.end(words + ["--root", site.root], asUser: 65534)

                    #expect(ending.code == 5, "\(words): \(ending)")
                    #expect(ending.errors.contains("(process \(program.pid) of root)"), "\(ending)")
                }
                _ = try await program.stop()
            }
        }

        /// It may still be there, so that nobody is told to move it back.
        @Test func aMirrorBelowAClosedFolderIsNotSaidToBeGone() async throws {
            try await withSite(days: 1) { site in
                let (parent, state) = ("\(site.folder)/parent", "\(site.folder)/state")
                let run =
                    "setpriv --reuid=\(Self.owner) --clear-groups env XDG_STATE_HOME='\(state)'"
                    + " \(Program.path) run --once -q --upstream \(site.simulator.basicAddress)"
                    + " --min-free 0 --since 1d --pace 0s --root '\(parent)/apod'"
                let first = try await site.shell(
                    """
                    chmod 755 .. . '\(site.folder)' && mkdir -p '\(parent)/apod' '\(state)'
                    chown \(Self.owner) '\(parent)/apod' '\(state)' && chmod 755 '\(parent)' && \(run)
                    """)
                let denied = try await site.shell("chmod 700 '\(parent)' && \(run)")

                #expect(first.code == 0, "\(first)")
                #expect(denied.code == 4, "\(denied)")
                #expect(denied.errors.contains("Permission denied"), "\(denied)")
                #expect(!denied.errors.contains("moved"), "\(denied)")
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
                func asOwner(_ action: String) async throws -> Ending {
                    try await site.command([
                        "setpriv", "--reuid=\(Self.owner)", "--clear-groups", Program.path,
                        "favorites", action, day, "--root", site.root,
                    ])
                }
                #expect(try await asOwner("add").code == 0)
                let album = "mkdir -m \(mode) zoo && ln -s '../../\(picture)' zoo/one.jpg"
                let ending = try await site.shell("cd $APOD_MIRROR_ROOT/favorites && \(album)")
                #expect(ending.code == 0, "\(ending)")
                let before = try site.tree().files.filter { $0.key.hasPrefix("favorites/") }

                let removal = try await asOwner("remove")

                #expect(removal.code == 1 && removal.sentences.count == 1, "\(removal)")
                let reason =
                    mode == "755" ? "may not write to favorites/zoo/;" : "run the command as"
                #expect(removal.errors.contains(reason), "\(removal)")
                let after = try site.tree().files.filter { $0.key.hasPrefix("favorites/") }
                #expect(before.count == 2 && after == before)
                // A request that stays would remove the favorite when its links are gone one day.
                let requests = try Directory(opening: site.root).folder(Layout.requests)
                #expect(try requests?.names().isEmpty ?? true)
            }
        }
    }
}

/// Whether the tests run as root, and other users may run the program.
let mayBecomeOthers: Bool = {
    let line = "setpriv --reuid=65534 --clear-groups test -x '\(Program.path)'"
    return unsafe system(line) == 0 && geteuid() == 0
}()
