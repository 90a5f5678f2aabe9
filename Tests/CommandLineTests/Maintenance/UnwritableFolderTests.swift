import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

@testable import Service

extension WholeProgram {
    /// Folders of the mirror in which its owner may not write, as after a restore of a part without chown.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: mayBecomeOthers, "gives a mirror away"))
    struct UnwritableFolderTests {
        private static let user = 54_321

        /// Gives the mirror to ``user``, except for `folder`, which root keeps with this `mode`.
        private func give(_ site: Site, except folder: String, mode: String) async throws {
            let ending = try await site.shell(
                "chmod 755 .. . '\(site.folder)' && cd '\(site.root)' && mkdir -p '\(folder)'"
                    + " && chown -R \(Self.user) . && chown -R 0 '\(folder)' && chmod \(mode) '\(folder)'"
            )
            #expect(ending.code == 0, "\(ending)")
        }

        private func run(_ site: Site, _ words: String...) async throws -> Ending {
            try await site.end(words + ["--root", site.root], asUser: Self.user)
        }

        private func sync(_ site: Site) async throws -> Ending {
            let words = ["run", "--once"] + site.settings() + ["--since", "12d"]
            return try await site.end(words, asUser: Self.user)
        }

        @Test(
            arguments: [
                Layout.gallery, Layout.thumbnails, Layout.views, Layout.favoriteStore,
            ], ["755", "700"])
        func whatCannotBeWrittenIsSaidUntilItCanBeWritten(
            folder: String, mode: String
        ) async throws {
            try await withSite(days: 12) { site in
                _ = try await site.mirror()
                try await give(site, except: folder, mode: mode)
                let link = try await site.shell(
                    "ln -s ../latest.jpg '\(site.root)/favorites/one.jpg'")
                #expect(link.code == 0, "\(link)")

                let failed = try await sync(site)
                let words = try await run(site, "status")
                let status = try await run(site, "status", "--json")
                let repaired = try await site.shell("chown -R \(Self.user) '\(site.root)'")
                _ = try await sync(site)
                let after = try await run(site, "status", "--json")

                #expect(failed.code != 0 && words.code == 1 && status.code == 1, "\(words)")
                let row = words.output.split(separator: "\n").first { $0.hasPrefix("unwritten  ") }
                #expect(row?.contains("\(site.root)/\(folder)") == true, "\(words)")
                #expect(row?.contains("chown -R \(Self.user) \(site.root) ") == true, "\(words)")
                let message = try status.json["last_error"]?["message"]?.string
                #expect(message?.contains("\(site.root)/\(folder)") == true, "\(status)")
                #expect(repaired.code == 0 && after.code == 0, "\(after)")
                #expect(try after.json["last_error"] == .null, "\(after)")
            }
        }

        /// After the end of a daemon, nobody tries to write any more.
        @Test(arguments: [LastRun.Watcher?.none, .events])
        func statusDoesNotSayThatAnEndedDaemonCannotWrite(watcher: LastRun.Watcher?) async throws {
            try await withMirroredSite { site in
                let tree = try Tree.reading(site.root, known: KnownMirrors(environment: [:]))
                var run = try #require(try LastRun.read(from: tree))
                run.watcher = watcher
                run.failures = [.views: .init(at: Date(), message: "cannot update the gallery")]
                try site.write(run.stateDocument, to: "apod/\(Layout.service)")

                let status = try await site.read("status")

                let isSaid = status.output.contains("cannot update the gallery")
                #expect(isSaid == (watcher == nil), "\(status)")
                #expect(status.code == (watcher == nil ? 1 : 0), "\(status)")
            }
        }

        @Test func aRepairThatFailsSaysWhyAndWhatToDo() async throws {
            try await withMirroredSite(days: 2) { site in
                let path = try site.picture(of: Site.day(1))
                try await site.damage(
                    "true", path, "&& printf x | dd conv=notrunc status=none of='\(path)'")
                _ = try Directory(opening: site.folder).makeDirectory("source")
                try await give(site, except: Layout.damaged, mode: "755")

                let words = ["verify", "--repair", "--root", site.root] + site.upstream
                let ending = try await site.end(words, asUser: Self.user)
                let once = try await site.end(
                    ["run", "--once", "--thumbnails", "no"] + site.settings() + ["--since", "2d"],
                    asUser: Self.user)
                let adoption = try await run(
                    site, "adopt", "\(site.folder)/source", "--offline")

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains("\nnot repaired: \(path): "), "\(ending)")
                for ending in [ending, once, adoption] {
                    #expect(ending.errors.contains("cannot repair \(path): "), "\(ending)")
                    #expect(
                        ending.errors.contains("chown -R \(Self.user) \(site.root) "), "\(ending)")
                }
                #expect(once.code == 1 && adoption.code == 1, "\(once) \(adoption)")
            }
        }

        /// Only the owner of the mirror can change it, so that the folder of another user helps nobody.
        @Test(arguments: ["755", "700", "555"])
        func advicesAboutFavoritesThatTheOwnerMayNotWriteHelp(mode: String) async throws {
            try await withMirroredSite(days: 2) { site in
                let favorites = Layout.favorites
                try await give(site, except: favorites, mode: mode)
                let isOwn = mode == "555"
                if isOwn { _ = try await site.shell("chown \(Self.user) '\(site.root)/favorites'") }
                let remedy =
                    isOwn
                    ? "“chmod u+rwx \(site.root)/\(favorites)”"
                    : "“chown -R \(Self.user) \(site.root) && chmod -R u+rwX \(site.root)”"

                let add = try await run(site, "favorites", "add", "latest")
                let stranger = try await site.end(
                    ["favorites", "add", "latest", "--root", site.root], asUser: Self.user + 1)
                let doctor = try await run(site, "doctor", "--offline")
                let status = try await run(site, "status")

                #expect(add.code == 1 && add.errors.contains(remedy), "\(add)")
                #expect(stranger.errors.contains(isOwn ? "the owner of" : remedy), "\(stranger)")
                #expect(doctor.output.contains("/\(favorites)"), "\(doctor)")
                #expect(doctor.output.contains("“chown -R \(Self.user) "), "\(doctor)")
                #expect(doctor.code == (mode == "700" ? 1 : 0), "\(doctor)")
                #expect(status.output.contains(remedy) == (mode == "700"), "\(status)")

                let root = site.root
                let remedied = try await site.shell(
                    isOwn
                        ? "chmod u+rwx '\(root)/favorites'"
                        : "chown -R \(Self.user) '\(root)' && chmod -R u+rwX '\(root)'")
                #expect(remedied.code == 0, "\(remedied)")
                #expect(try await run(site, "favorites", "add", "latest").code == 0)
            }
        }

        /// Although others may not even read it.
        @Test func whoIsNotInTheGroupOfFavoritesLearnsItsName() async throws {
            try await withMirroredSite(days: 2) { site in
                try await give(site, except: Layout.favorites, mode: "755")
                let given = try await site.shell(
                    "cd '\(site.root)' && chown \(Self.user):users favorites && chmod 2770 favorites"
                )
                #expect(given.code == 0, "\(given)")

                let add = try await site.end(
                    ["favorites", "add", "latest", "--root", site.root], asUser: Self.user + 1)

                #expect(add.code == 1 && add.errors.contains("-aG users USER"), "\(add)")
            }
        }

        @Test func aCollectionOfAnotherPersonStaysTheirs() async throws {
            try await withMirroredSite(days: 2) { site in
                let trip = "\(Layout.favorites)/trip"
                try await give(site, except: trip, mode: "755")
                _ = try await site.shell(
                    "chmod 777 '\(site.root)/favorites'; chown \(Self.user + 2) '\(site.root)/\(trip)'"
                )

                for user in [Self.user, Self.user + 1] {
                    let add = try await site.end(
                        ["favorites", "add", "latest", "--as", "trip/one", "--root", site.root],
                        asUser: user)

                    #expect(add.code == 1 && add.errors.contains("the owner of"), "\(add)")
                    #expect(!add.errors.contains("chown"), "\(add)")
                }
            }
        }

        @Test func doctorNamesEachFolderInWhichTheOwnerMayNotWrite() async throws {
            try await withMirroredSite(days: 1) { site in
                for folder in [
                    ".", "pictures", Layout.own, Layout.incoming, Layout.gallery, Layout.thumbnails,
                    Layout.views, Layout.favoriteStore, Layout.trash, "wallpapers",
                    Layout.folder(Layout.thumbnails, of: Site.today),
                    Layout.folder(Layout.metadata, of: Site.day(40)),
                ] {
                    let ending = try await site.shell(
                        "chmod 755 .. . '\(site.folder)' && cd '\(site.root)' && mkdir -p '\(folder)'"
                            + " && chown -R \(Self.user) . && chown 0 '\(folder)'")
                    #expect(ending.code == 0, "\(ending)")

                    let doctor = try await run(site, "doctor", "--offline")

                    let path = folder == "." ? site.root : "\(site.root)/\(folder)"
                    #expect(doctor.code == 1, "\(doctor)")
                    #expect(doctor.output.contains("\(path)"), "\(doctor)")
                    let remedy = "“chown -R \(Self.user) \(site.root) &&"
                    #expect(doctor.output.contains(remedy), "\(doctor)")
                }
            }
        }
    }
}
