import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct FavoritesCommandTests {
        /// The states of `favorites list --json` by day.
        private func list(_ site: Site) async throws -> [String: String] {
            let ending = try await site.read("favorites", "list", "--json")
            #expect(ending.code == 0, "\(ending)")
            let json = try ending.json
            let favorites = json["favorites"]?.elements ?? []
            return Dictionary(
                favorites.map { ($0["date"]?.string ?? "", $0["state"]?.string ?? "") }
            ) { first, _ in first }
        }

        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func favoritesAreRecreatedWithoutFlagsOfRename() async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)
                let variables = shim.variables(.kill, at: -1).merging(["FAULT_FLAGS": "1"]) { $1 }
                #expect(try await site.mirror(environment: variables).code == 0)
                let path = try site.picture(of: Site.day(3))
                let root = try Directory(opening: site.root)
                try root.symlink("favorites/x.jpg", to: "../../\(path)")

                #expect(try await site.mirror(environment: variables).code == 0)
                #expect(root.target(of: "favorites/x.jpg") == "../\(path)")

                try root.remove("favorites/x.jpg")
                try root.removeDirectory("favorites")
                #expect(try await site.mirror(environment: variables).code == 0)
                #expect(root.target(of: "favorites/x.jpg") == "../\(path)")
            }
        }

        /// A person who has removed several finds the last one by the date of its removal.
        @Test func removedFavoritesAreListedWithTheDatesOfTheirRemoval() async throws {
            try await withMirroredSite { site in
                for age in 1...3 {
                    #expect(try await site.read("favorites", "add", "\(Site.day(age))").code == 0)
                }
                #expect(try await site.mirror().code == 0)
                for age in 1...3 {
                    let ending = try await site.read("favorites", "remove", "\(Site.day(age))")
                    #expect(ending.code == 0, "\(ending)")
                }
                // As if one had been removed five days before the others.
                let trash = try #require(try Directory(opening: site.root).folder(Layout.trash))
                let today = try #require(try trash.textNames().first)
                let earlier = try #require(Day(iso: today)).advanced(by: -5)
                _ = try await site.shell(
                    "cd \"$APOD_MIRROR_ROOT/\(Layout.trash)\" && mkdir \(earlier) && mv \(today)/\(Site.day(1))* \(earlier)"
                )

                let ending = try await site.read("favorites", "restore")

                let lines = ending.output.split(separator: "\n").filter { $0.hasPrefix("2") }
                let dates = [(2, "\(today)"), (3, "\(today)"), (1, "\(earlier)")]
                #expect(
                    lines.map { $0.prefix(32) }
                        == dates.map { "\(Site.day($0))  removed \($1)  " }, "\(ending)")
            }
        }

        /// Nothing is hidden from root, but a link is never followed.
        @Test func aFolderThatCannotBeReadIsReported() async throws {
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "\(Site.day(3))")
                #expect(try await site.mirror().code == 0)
                let root = try Directory(opening: site.root)
                try root.rename("favorites", to: root, as: "elsewhere")
                try root.symlink("favorites", to: "elsewhere")

                let run = try await site.mirror("--quiet")
                #expect(run.code == 1 && run.errors.contains("mount --bind"), "\(run)")
                let status = try await site.read("status")
                #expect(status.code == 1, "\(status)")
                for part in ["favorites/ is a symbolic link", "must be a folder", "mount --bind"] {
                    #expect(status.output.contains(part), "\(status)")
                }
                let json = try await site.read("status", "--json").json
                #expect(json["favorites"]?["kept"]?.integer == 1, "\(json)")
                #expect(json["unreadable"]?.elements.count == 1, "\(json)")

                let preview = try await site.read("run", "--once", "--dry-run")
                #expect(preview.code == 0, "\(preview)")
                #expect(preview.output.contains("no day would be removed"), "\(preview)")
                let keep = try await site.read("run", "--once", "--dry-run", "--keep", "3d")
                #expect(keep.code == 1, "\(keep)")
                #expect(keep.errors.contains("no day would be removed"), "\(keep)")
            }
        }

        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func aRemovalThatFailsNamesEachLinkThatItDeleted() async throws {
            try await withMirroredSite(days: 2) { site in
                let shim = try await FaultShim(for: site)
                let names = ["a.jpg", "b.jpg", "c.jpg"]
                for name in names {
                    let added = try await site.read(
                        "favorites", "add", "\(Site.today)", "--as", name)
                    #expect(added.code == 0, "\(added)")
                }
                try site.copy("apod", to: "before")

                var number = 0
                var partialRemovals = 0
                repeat {
                    number += 1
                    try site.copy("before", to: "apod")
                    let ending = try await site.start(
                        ["favorites", "remove", "\(Site.today)", "--root", site.root],
                        environment: shim.variables(.ioError, at: number)
                    ).end()
                    let left = try Directory(opening: site.root).textNames(in: Layout.favorites)
                    let deleted = names.filter { !left.contains($0) }
                    for name in names {
                        let isNamed = ending.output.contains(name)
                        #expect(isNamed == deleted.contains(name), "\(number): \(ending)")
                    }
                    if 1..<names.count ~= deleted.count {
                        partialRemovals += 1
                        #expect(ending.code == 1 && !ending.sentences.isEmpty, "\(ending)")
                    }
                } while shim.calls.count >= number && number < 200
                #expect(partialRemovals > 0)
            }
        }

        @Test func commandsWorkBesideADaemon() async throws {
            try await withSite(days: 14) { site in
                let program = try await site.daemon()

                let added = try await site.read(
                    "favorites", "add", "\(Site.day(2))", "--as", "x.jpg")
                #expect(added.code == 0 && added.output == "added: x.jpg\n", "\(added)")
                try await program.errors.wait(for: "\(Site.day(2)) added to favorites")
                // Not among the ten days: downloaded as a favorite.
                _ = try await site.read("favorites", "add", "\(Site.day(12))")
                try await program.errors.wait(for: "\(Site.day(12)) “")
                _ = try await site.read("favorites", "remove", "x.jpg")
                try await program.errors.wait(for: "\(Site.day(2)) removed from favorites")
                #expect(try await program.stop().code == 0)

                #expect(try await list(site) == ["\(Site.day(12))": "kept"])
                #expect(try site.tree().favorites == [Site.day(12)])
            }
        }

        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func aDirectoryInIncomingIsMovedAsideWithoutFlagsOfRename() async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)
                let variables = shim.variables(.kill, at: -1).merging(["FAULT_FLAGS": "1"]) { $1 }
                _ = try await site.mirror()
                let own = try Directory(opening: "\(site.root)/\(Layout.own)")
                for name in ["first", "second"] {
                    _ = try own.makeDirectory("incoming/mine/\(name)")
                    #expect(try await site.mirror(environment: variables).code == 0)
                }

                #expect(try own.folder("incoming/mine") == nil)
                #expect(try own.folder("aside/mine/first") != nil)
                #expect(try own.folder("aside/mine 2/second") != nil)
            }
        }

        /// As file managers make them.
        @Test func absoluteLinksToAMovedMirrorKeepTheirDays() async throws {
            try await withMirroredSite { site in
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                try favorites.symlink("new.jpg", to: "\(site.root)/latest.jpg")
                let path = try site.picture(of: Site.day(2))
                try favorites.symlink("old.jpg", to: "../\(path)")
                try favorites.symlink("second.jpg", to: "\(site.root)/\(path)")
                _ = try await site.mirror()
                let moved = "\(site.folder)/moved"
                try #require(unsafe rename(site.root, moved) == 0)

                let ending = try await site.mirror(root: moved)

                #expect(ending.code == 0, "\(ending)")
                let listed = try await site.end("favorites", "list", "--root", moved, "--json")
                let json = try JSON(parsing: Array(listed.output.utf8))
                let names = json["favorites"]?.elements.compactMap { $0["names"]?.elements.count }
                #expect(names == [1, 2], "\(listed)")
                #expect(json["unrecognized"]?.elements.isEmpty == true, "\(listed)")
            }
        }
    }
}
