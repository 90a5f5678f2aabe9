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
        private func day(_ ago: Int) -> Day { Site.today.advanced(by: -ago) }

        private func picture(_ day: Day, in site: Site) throws -> String {
            let tree = try Tree.reading(site.root, known: KnownMirrors(environment: [:]))
            return try #require(try Store(reading: tree).record(of: day)?.picture?.path)
        }

        /// The states of `favorites list --json` by day.
        private func list(_ site: Site) async throws -> [String: String] {
            let ending = try await site.read("favorites", "list", "--json")
            #expect(ending.code == 0, "\(ending)")
            let json = try JSON(parsing: Array(ending.output.utf8))
            guard case .array(let favorites) = json["favorites"] else { return [:] }
            return Dictionary(
                favorites.map { ($0["date"]?.string ?? "", $0["state"]?.string ?? "") }
            ) { first, _ in first }
        }

        private func records(_ site: Site) throws -> [String] {
            let folder = try Directory(opening: site.root).folder("\(Layout.own)/favorites")
            return try folder?.textNames().filter { Day(iso: $0.prefix(10)) != nil }
                .filter { $0.hasSuffix(".json") }.sorted() ?? []
        }

        @Test func aLinkIsAFavoriteAfterOneSync() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let path = try picture(day(3), in: site)
                try Directory(opening: site.root).makeDirectory("favorites/holiday")
                    .symlink("the best.jpg", to: "../../\(path)")

                #expect(try await site.mirror().code == 0)

                #expect(try records(site) == ["\(day(3)).json"])
                #expect(try await list(site) == ["\(day(3))": "kept"])
            }
        }

        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func favoritesAreRecreatedWithoutFlagsOfRename() async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)
                let variables = shim.variables(.kill, at: -1).merging(["FAULT_FLAGS": "1"]) { $1 }
                #expect(try await site.mirror(environment: variables).code == 0)
                let path = try picture(day(3), in: site)
                let root = try Directory(opening: site.root)
                try root.symlink("favorites/x.jpg", to: "../../\(path)")

                #expect(try await site.mirror(environment: variables).code == 0)
                #expect(root.target(of: "favorites/x.jpg") == "../\(path)")

                try root.remove("favorites/x.jpg")
                try root.removeFolder("favorites")
                #expect(try await site.mirror(environment: variables).code == 0)
                #expect(root.target(of: "favorites/x.jpg") == "../\(path)")
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

        @Test(.enabled(if: DiskFullTests.mayMount))
        func aBrokenLinkIsRepairedWhereFavoritesIsOnAnotherDisk() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let path = try picture(day(1), in: site)
                let script = """
                    cd '\(site.root)' && mount -t tmpfs none favorites && cd favorites || exit 99
                    ln -s "../../$PICTURE" x.jpg
                    '\(Program.path)' \((["run", "--once", "-q"] + site.settings()).joined(separator: " "))
                    echo $?
                    readlink x.jpg
                    ls -A
                    '\(Program.path)' verify --root '\(site.root)' >/dev/null
                    echo $?
                    """

                let ending = try await Program(
                    ["unshare", "-Urm", "sh", "-c", script],
                    environment: [
                        "HOME": site.home, "PICTURE": path,
                    ]
                ).end()

                #expect(ending.output == "0\n../\(path)\nx.jpg\n0\n", "\(ending)")
            }
        }

        @Test(arguments: ["a link", "a copy", "a copy by another name"])
        func theVideoRedirectPageIsAFavoriteOfItsDay(form: String) async throws {
            try await withSite(extras: .videos) { site in
                _ = try await site.mirror()
                let page = try #require(try site.tree().redirectPages.first)
                let name = Layout.split(page).name
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                if form == "a link" {
                    try favorites.symlink(name, to: "../\(page)")
                } else {
                    let text = try #require(try Directory(opening: site.root).read(page))
                    let copy = form == "a copy" ? name : "watch me.html"
                    try site.write(
                        String(decoding: text, as: UTF8.self), to: "apod/favorites/\(copy)")
                }

                #expect(try await site.mirror().code == 0)

                let days = try await list(site)
                #expect(days == [String(name.prefix(10)): "kept"])
            }
        }

        @Test func commandsWorkBesideADaemon() async throws {
            try await withSite(days: 14) { site in
                let program = try site.start(["run"] + site.settings())
                try await program.errors.wait(for: "downloaded 10 days")

                let added = try await site.read("favorites", "add", "\(day(2))", "--as", "x.jpg")
                #expect(added.code == 0 && added.output == "added: x.jpg\n", "\(added)")
                try await program.errors.wait(for: "\(day(2)) added to favorites")
                // Not among the ten days: downloaded as a favorite.
                _ = try await site.read("favorites", "add", "\(day(12))")
                try await program.errors.wait(for: "\(day(12)) “")
                _ = try await site.read("favorites", "remove", "x.jpg")
                try await program.errors.wait(for: "\(day(2)) removed from favorites")
                program.signal(SIGTERM)
                #expect(try await program.end().code == 0)

                #expect(try await list(site) == ["\(day(12))": "kept"])
                #expect(try records(site) == ["\(day(12)).json"])
            }
        }

        @Test func commandsWorkWithoutADaemon() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                for ago in [1, 2] {
                    #expect(try await site.read("favorites", "add", "\(day(ago))").code == 0)
                }
                #expect(try records(site).count == 2)

                let exported = try await site.read("favorites", "export")
                #expect(exported.output == "\(day(1))\n\(day(2))\n")
                _ = try await site.read("favorites", "remove", "\(day(1))")
                #expect(try records(site) == ["\(day(2)).json"])

                try site.write(exported.output, to: "list.txt")
                let imported = try await site.read("favorites", "import", "\(site.folder)/list.txt")
                #expect(imported.code == 0, "\(imported)")
                #expect(Set(try await list(site).keys) == ["\(day(1))", "\(day(2))"])
            }
        }

        @Test func aMissingFolderIsCreatedBeforeItIsChanged() async throws {
            try await withSite(days: 5) { site in
                _ = try await site.mirror()
                let folder = "\(site.root)/favorites"
                for ago in 1...3 { _ = try await site.read("favorites", "add", "\(day(ago))") }
                #expect(unsafe chmod(folder, 0o2770) == 0)
                _ = try await site.mirror()

                removeTree(folder)
                let removed = try await site.read("favorites", "remove", "\(day(1))")
                #expect(removed.output.hasPrefix("removed: \(day(1)) "), "\(removed)")
                #expect(try await list(site).keys.sorted() == ["\(day(3))", "\(day(2))"])
                let requests = try Directory(opening: site.root).folder(Layout.requests)
                #expect(try requests?.names() == [])

                removeTree(folder)
                #expect(try await site.read("favorites", "add", "\(day(4))").code == 0)
                #expect(try Directory(opening: folder).permissions().mode & 0o7777 == 0o2770)
                #expect(try await list(site).values.allSatisfy { $0 == "kept" })
            }
        }

        @Test func daysThatCannotBeAreRefused() async throws {
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                let future = day(-400)
                for (day, reason) in [
                    ("1995-06-17", "published nothing on 1995-06-17"),
                    ("\(future)", "\(future) is in the future"),
                ] {
                    try site.write("\(day)\n", to: "list.txt")
                    for command in [["add", day], ["import", "\(site.folder)/list.txt"]] {
                        let ending = try await site.start(
                            ["favorites"] + command + ["--root", site.root]
                        ).end()
                        #expect(ending.code != 0, "\(ending)")
                        #expect(ending.errors.contains(reason))
                    }
                }
                #expect(try await list(site).isEmpty)
            }
        }

        @Test(arguments: [40, 60, 100] as [UInt16])
        func theListFitsTheTerminal(columns: UInt16) async throws {
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                for ago in 0..<3 { _ = try await site.read("favorites", "add", "\(day(ago))") }
                try site.write("x", to: "apod/favorites/a note that says nothing of interest.txt")
                let folder = try #require(try Directory(opening: site.root).folder("favorites"))
                let name = try #require(try folder.textNames().first { $0.hasPrefix("\(day(1))") })
                try folder.remove(name)

                let screen = try Pseudoterminal(columns: columns)
                let list = try await site.start(
                    ["favorites", "list", "--root", site.root], screen: screen
                ).end()
                let whole = try await site.read("favorites", "list")

                let lines = Pseudoterminal.screen(after: list.output)
                #expect(lines.allSatisfy { $0.count <= columns }, "\(list)")
                #expect(lines.count { $0.contains("  (removed in ") } == 1, "\(list)")
                #expect(lines[0].hasPrefix("\(day(0))  ") && whole.output.contains("  \(name)"))
            }
        }

        /// A file manager makes absolute links by the path that its user knows.
        @Test(arguments: ["--root alias", "--root \"$PWD/alias\"", "from inside"])
        func linksByThePathOfTheDaemonAreFavoritesForEveryCommand(start: String) async throws {
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                let alias = "\(site.folder)/alias"
                try Directory(opening: site.folder).symlink("alias", to: site.root)
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                try favorites.symlink("newest", to: "\(alias)/latest.json")
                try favorites.symlink("second", to: "\(alias)/favorites/newest")
                let sync =
                    "\(Program.path) run --once \(site.upstream.joined(separator: " ")) --since 3d"
                let line =
                    start == "from inside" ? "cd alias/pictures && \(sync)" : "\(sync) \(start)"
                let run = try await Program(
                    ["bash", "-c", "cd '\(site.folder)' && \(line)"],
                    environment: ["HOME": site.home]
                ).end()
                #expect(run.code == 0, "\(run)")

                #expect(Array(try await list(site).values) == ["kept"])
                // Another start does not know the path.
                _ = try await site.mirror()
                #expect(Array(try await list(site).values) == ["kept"])
                let removed = try await site.read("favorites", "remove", "newest")

                #expect(removed.output == "removed: newest, second\n", "\(removed)")
                #expect(try site.favoriteNames().isEmpty)
                #expect(try await list(site).isEmpty)
            }
        }

        /// Of what file managers make, the link through another favorite, too.
        @Test func absoluteLinksToAMovedMirrorKeepTheirDays() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                try favorites.symlink("new.jpg", to: "\(site.root)/latest.jpg")
                let path = try picture(day(2), in: site)
                try favorites.symlink("old.jpg", to: "../\(path)")
                try favorites.symlink("second.jpg", to: "\(site.root)/favorites/old.jpg")
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

        /// No argument can have the name.
        @Test func aNameThatIsNotUTF8IsRemovedAsItIsListed() async throws {
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                let path = try picture(day(1), in: site)
                try Directory(opening: site.root).makeDirectory("favorites")
                    .symlink(Array("caf".utf8) + [0xE9], to: "../\(path)")

                let refused = try await site.shell("\(Program.path) favorites remove $'caf\\xe9'")
                let listed = try await site.read("favorites", "list")
                let removed = try await site.read("favorites", "remove", "caf%E9")

                #expect(refused.code == 2, "\(refused)")
                #expect(listed.output.contains("caf%E9"), "\(listed)")
                #expect(removed.code == 0 && removed.output == "removed: caf%E9\n", "\(removed)")
                #expect(try await list(site).isEmpty)
            }
        }

        @Test func manyRemovedLinksAreHeldAndRestored() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                for ago in 0..<8 { _ = try await site.read("favorites", "add", "\(day(ago))") }
                let folder = try #require(try Directory(opening: site.root).folder("favorites"))
                let names = try site.favoriteNames()
                for name in try folder.textNames() { try folder.remove(name) }
                _ = try await site.mirror()

                #expect(try await list(site).values.allSatisfy { $0 == "held" })
                let dry = try await site.read("favorites", "restore", "--dry-run")
                #expect(names.allSatisfy { dry.output.contains($0) })
                #expect(try folder.textNames().isEmpty)
                let restored = try await site.read("favorites", "restore")

                #expect(restored.code == 0, "\(restored)")
                #expect(Set(try folder.textNames()) == Set(names))
                #expect(try await list(site).values.allSatisfy { $0 == "kept" })

                for name in names { try folder.remove(name) }
                _ = try await site.mirror()
                let one = try await site.read("favorites", "remove", "\(day(0))", names[1])
                #expect(
                    one.code == 0 && one.output.hasPrefix("removed: \(day(0)), which"), "\(one)")
                #expect(try await list(site).count == 6)
                let all = try await site.read("favorites", "remove", "--held")
                #expect(all.code == 0 && all.output.hasPrefix("removed: \(day(7)), "), "\(all)")
                #expect(try await list(site).isEmpty)
                let none = try await site.read("favorites", "remove", "--held")
                #expect(none.code == 0 && none.output == "removed: none\n", "\(none)")
            }
        }

        @Test(arguments: [["favorites", "remove"], ["favorites", "restore"], ["search"]])
        func manyArgumentsAreAccepted(words: [String]) async throws {
            try await withSite(days: 1) { site in
                _ = try await site.mirror()
                let many = [String](repeating: "xyzzy", count: 65)

                let ending = try await site.start(words + many + ["--root", site.root]).end()

                // None of them is a favorite.
                #expect(ending.code == (words == ["search"] ? 0 : 1), "\(ending)")
            }
        }

        @Test func aMistakeIsReportedAndChangesNothing() async throws {
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                let before = try site.tree()
                for words in [
                    ["lsit"], ["add"], ["add", "no such day"], ["remove", "2020-01-01"],
                    ["import", "/no/such/file"], ["list", "more"],
                    ["add", "2026-01-01", "--as", "../../escape.jpg"],
                    ["add", "2026-01-01", "2026-01-02", "--as", "one.jpg"], ["add", "/etc/passwd"],
                ] {
                    let ending = try await site.start(
                        ["favorites"] + words + ["--root", site.root]
                    ).end()

                    #expect(ending.code != 0, "\(words)")
                    #expect(ending.errors.hasPrefix("apod-mirror: "), "\(words): \(ending)")
                    #expect(try site.tree().published == before.published, "\(words)")
                }
            }
        }
    }
}
