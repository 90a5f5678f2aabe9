import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// The commands, with and without a daemon.
@Suite(.timeLimit(.minutes(10))) struct FavoriteCommandsTests {
    let crab = FolderUnderTest.crab
    let moon = FolderUnderTest.moon
    let crabPath = FolderUnderTest.crabPath

    @Test(arguments: [
        "2026-11-20", "261120", "latest", "Latest", "latest.jpg",
        "HTTPS://APOD.NASA.GOV/apod/ap261120.html#x",
        "../2026/2026-11/2026-11-20 The Crab Nebula.jpg", "old/ap261120.jpg",
        "mine/2026-11-20 x.png",
    ])
    func addCreatesALinkThatTheDaemonRecords(text: String) async throws {
        try await withFolder { folder in
            let name = try folder.commands.add(text)

            #expect(name.text == "2026-11-20 The Crab Nebula.jpg")
            #expect(folder.target(name.text) == "../\(crabPath)")
            #expect(try await folder.reconcile().added.map(\.day) == [crab])
        }
    }

    /// Nothing has recorded the link, or its new name.
    @Test(arguments: [false, true])
    func aLinkMadeWhileStoppedCanBeRestoredAfterItsRemoval(isRecorded: Bool) async throws {
        try await withFolder { folder in
            if isRecorded {
                folder.link("old name")
                try await folder.reconcile()
                folder.remove("favorites/old name")
            }
            folder.link("Caf%E9 Nebula.jpg")
            let commands = FavoriteCommands(
                of: folder.store, now: folder.now, uptime: folder.uptime)

            _ = try commands.remove(["2026-11-20"]).map { try $0.get() }
            _ = try await commands.reconcileUnlessDaemon()

            #expect(folder.record(crab) == nil)
            #expect(try commands.removedFavorites().map(\.favorite.title) == ["The Crab Nebula"])
            #expect(try commands.restored(["2026-11-20"]).map(\.text) == ["Caf%E9 Nebula.jpg"])
        }
    }

    @Test func aDayToComeIsRefused() async throws {
        try await withFolder { folder in
            #expect(throws: FavoriteError.self) { try folder.commands.add("2030-01-01") }
            let outcome = try await folder.reconcile()
            #expect(outcome.favorites.isEmpty)
        }
    }

    @Test func daysThatTheNextScanRemovesAreProtectedUntilThen() async throws {
        try await withFolder { folder in
            let comet = FolderUnderTest.comet
            folder.link("x")
            folder.link("y", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)

            #expect(try folder.commands.protectedDays() == [crab, comet])
            #expect(try folder.commands.protectedDays(afterNextScan: true) == [comet])
            try await folder.reconcile()
            #expect(try folder.commands.protectedDays() == [comet])
        }
    }

    /// Links that cannot be scanned would remain.
    @Test func nothingIsChangedWhileFavoritesCannotBeRead() async throws {
        try await withFavorite { folder in
            folder.remove("favorites")
            try folder.tree.root.symlink("favorites", to: "/tmp")

            #expect(throws: FavoriteError.self) { try folder.commands.remove(["2026-11-20"]) }
            #expect(throws: FavoriteError.self) { try folder.commands.removeMissing() }
            for days in [[], ["2026-11-20"]] {
                #expect(throws: FavoriteError.notADirectory) {
                    try folder.commands.restore(days)
                }
            }
        }
    }

    @Test func addingTwiceIsAddingOnce() async throws {
        try await withFolder { folder in
            folder.link("mine")

            let first = try folder.commands.addOne("2026-11-20")
            let second = try folder.commands.addOne("2026-11-20", as: "b/other")
            let third = try folder.commands.addOne("2026-11-20", as: "b/other")

            let added = [first, second, third]
            #expect(added.map(\.name.text) == ["mine", "b/other.jpg", "b/other.jpg"])
            #expect(added.map(\.isNew) == [false, true, false])
            #expect(try await folder.reconcile().favorites[crab]?.names.count == 2)
        }
    }

    /// Like the folder above it: the mask of this process does not count.
    @Test func aNewCollectionIsOpenToTheWritersOfFavorites() async throws {
        try await withFolder { folder in
            precondition(unsafe chmod(folder.path("favorites"), 0o2775) == 0)

            let link = try folder.commands.add("2026-11-20", as: "a/b/x.jpeg")

            #expect(link.text == "a/b/x.jpeg")
            let above = try #require(try folder.tree.root.folder("favorites")?.permissions())
            for name in ["favorites/a", "favorites/a/b"] {
                let made = try #require(try folder.tree.root.folder(name)?.permissions())
                #expect(made.mode == 0o2775 && made.group == above.group, "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("cat", nil), ("https://cat.com/2026-11-20", nil), ("2026-11-20", "../x"),
            ("mine/Screenshot from 2026-11-20 10-10-10.png", nil),
            ("favorites/my crab (conflicted copy 2026-11-20 101010).png", nil),
            ("2026-11-20", ".hidden"), ("2026-11-20", "/etc/x"), ("2026-11-20", "taken"),
            ("2026-11-20", "taken/below"), ("2026-11-20", "out/x"),
        ] as [(String, String?)])
    func addRejectsInvalidArguments(text: String, name: String?) async throws {
        try await withFolder { folder in
            folder.write("favorites/taken", [1])
            folder.write("favorites/taken.jpg", [1])
            folder.makeDirectory("elsewhere")
            folder.link("out", to: "../elsewhere")

            #expect(throws: FavoriteError.self) { try folder.commands.add(text, as: name) }
            #expect(folder.status("elsewhere/x") == nil)
            try await folder.reconcile()
            #expect(folder.read("favorites/taken") == [1])
        }
    }

    /// A file, or a link, that has the name of a folder above the new link.
    @Test(arguments: ["taken/x", "taken/below/x", "out/below/x"])
    func addNamesTheItemInPlaceOfAFolder(name: String) async throws {
        try await withFolder { folder in
            folder.write("favorites/taken", [1])
            folder.link("out", to: "../elsewhere")
            let item = try #require(FavoriteName(String(name.prefix { $0 != "/" })))

            #expect(throws: FavoriteError.nameTaken(item)) {
                try folder.commands.add("2026-11-20", as: name)
            }
        }
    }

    /// An item is named as the list prints it, or as a shell completes its path.
    @Test(arguments: [
        "x", "favorites/x", "ROOT/favorites/x", "HERE/favorites/x", "HERE/favorites/./x",
        "HERE/pictures/../favorites/x",
    ])
    func removeSkipsTheGracePeriod(name: String) async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.link("y", to: "x")
            try await folder.reconcile()

            let root = folder.tree.root.path
            let name = name.replacing("ROOT", with: root)
                .replacing("HERE", with: try Self.relativePath(to: root))
            let removed = try folder.commands.removed(name).names.map(\.text)
            let outcome = try await folder.reconcile()

            #expect(removed == ["x", "y"])
            #expect(outcome.favorites.isEmpty)
            #expect(folder.status("favorites/x") == nil)
        }
    }

    /// From the current directory of this process.
    private static func relativePath(to path: String) throws -> String {
        let depth = try #require(realPath(".")).split(separator: "/").count
        return String(repeating: "../", count: depth) + path.dropFirst()
    }

    @Test func removeDeletesNoFileOfTheUser() async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.write("favorites/copy", FolderUnderTest.picture("crab"))
            try await folder.reconcile()

            #expect(throws: FavoriteError.self) { try folder.commands.removed("2026-11-20") }
            #expect(folder.target("x") != nil)
            #expect(folder.status("favorites/copy") != nil)
        }
    }

    /// Any other text that names the day may say something that the mirror does not know.
    @Test(arguments: [
        ("[InternetShortcut]\r\nURL=https://apod.nasa.gov/apod/ap261120.html\r\n", true),
        ("[InternetShortcut]\r\nURL=https://apod.nasa.gov/apod/ap261120.html\r\nseen\r\n", false),
        ("[InternetShortcut]\r\nURL=https://apod.nasa.gov/apod/ap261120.html#mine\r\n", false),
        ("https://apod.nasa.gov/apod/ap261120.html", false),
    ])
    func removeDeletesOnlyShortcutsThatSayNothingElse(text: String, isDeleted: Bool) async throws {
        try await withFolder { folder in
            folder.link("a")
            folder.write("favorites/x.url", Array(text.utf8))
            try await folder.reconcile()

            let removed = folder.commands.removedNames("2026-11-20")

            #expect(removed == (isDeleted ? ["a", "x.url"] : nil))
            #expect((folder.status("favorites/x.url") == nil) == isDeleted)
            #expect((folder.status("favorites/a") == nil) == isDeleted)
        }
    }

    /// A link whose name is taken has the name of its picture.
    @Test(arguments: [("a/x", false), ("2026-11-20 The Crab Nebula.jpg", true)])
    func heldFavoritesCanBeRestored(name: String, isTaken: Bool) async throws {
        try await withFolder { folder in
            try await hold(folder)
            if isTaken { folder.write("favorites/a/x", [1]) }

            let restored = try folder.commands.restored().map(\.text)

            #expect(restored == [name])
            #expect(folder.target(name)?.hasSuffix(crabPath) == true)
            #expect(!isTaken || folder.read("favorites/a/x") == [1])
            #expect(try await folder.reconcile().favorites[crab]?.isMissing == false)
        }
    }

    /// As “favorites list” prints it, or as the shell completes it.
    @Test(arguments: ["favorites/caf%E9", "caf%E9", "favorites/x", "x"])
    func anItemIsNamedWithItsFolderOrWithout(text: String) async throws {
        try await withFolder { folder in
            let name = text.hasSuffix("x") ? Array("x".utf8) : Array("caf".utf8) + [0xE9]
            try folder.link(bytes: name, to: "../\(crabPath)")
            try await folder.reconcile()
            if text.hasPrefix("favorites/") {
                #expect(try folder.commands.addOne(text).isNew == false)
            }

            #expect(try folder.commands.removed(text).names.map(\.bytes) == [name])
        }
    }

    /// Its other link would make it a favorite again; the folder may have been renamed.
    @Test(arguments: ["trip", "holiday"])
    func aFavoriteIsNotRemovedWhileALinkOfItMayBeInAnUnreadableFolder(name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            try await withFolderOfNobody { folder in
                folder.link("x")
                folder.link("trip/y")
                try await folder.reconcile()
                folder.move("favorites/trip", to: "favorites/\(name)")
                precondition(unsafe chmod(folder.path("favorites/\(name)"), 0) == 0)
                let commands = folder.commands

                #expect(throws: SystemError.self) { try commands.removed("2026-11-20") }

                #expect(folder.target("x") != nil)
                #expect(FavoriteStore.forgetRequests(in: folder.tree.root).isEmpty)
                precondition(unsafe chmod(folder.path("favorites/\(name)"), 0o755) == 0)
            }
        }
    }

    /// Nobody knows whether its link is still there; it is called like its picture, because its folder is none any more.
    @Test func aFavoriteOfWhichNoItemIsFoundCanBeRestored() async throws {
        try await withFavorite("set/x") { folder in
            folder.move("favorites/set", to: "set")
            folder.link("set", to: folder.path("set"))
            try await folder.reconcile()
            #expect(try folder.commands.list().entries.map(\.state) == [.kept])

            let restored = try folder.commands.restored(["2026-11-20"]).map(\.text)

            #expect(restored == ["2026-11-20 The Crab Nebula.jpg"])
            #expect(try folder.commands.restored().isEmpty)
        }
    }

    @Test func aPrivateFolderPreventsTheLinksOfNoOtherFolder() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                for name in ["a", "trip/b", "z"] { folder.link(name) }
                try await folder.reconcile()
                _ = try folder.commands.removed("2026-11-20")
                try await folder.reconcile()
                folder.write("favorites/trip/other", [1])
                precondition(unsafe chmod(folder.path("favorites/trip"), 0) == 0)

                let results = try folder.commands.restore(["2026-11-20"])

                precondition(unsafe chmod(folder.path("favorites/trip"), 0o755) == 0)
                #expect(results.count == 2 && folder.target("trip/b") == nil)
                #expect(try results[0].get().map(\.text) == ["a", "z"])
                let error = #expect(throws: (any Error).self) { try results[1].get() }
                #expect("\(error.map { "\($0)" } ?? "")".contains("favorites/trip"))
            }
        }
    }

    @Test func aFavoriteThatCannotBeRestoredDoesNotPreventOthers() async throws {
        try await withFolder { folder in
            try await holdTwo(folder)
            folder.write("favorites/x", [1])
            folder.write("favorites/2026-11-20 The Crab Nebula.jpg", [1])

            let results = try folder.commands.restore(["nothing", "x", "y"])

            let names = results.map { (try? $0.get())?.map(\.text) }
            #expect(names == [nil, ["y"], nil])
            #expect(folder.target("y") == "../\(FolderUnderTest.cometPath)")
            #expect(folder.read("favorites/x") == [1])
        }
    }

    @Test(arguments: ["2026-11-20", "x", "favorites/x"])
    func aFavoriteThatIsNotMissingNeedsNoRestoring(text: String) async throws {
        try await withFavorite { folder in
            #expect(throws: FavoriteError.hasLink(text)) {
                try folder.commands.restored([text])
            }
            #expect(throws: FavoriteError.notRestorable("2024-05-01")) {
                try folder.commands.restored(["2024-05-01"])
            }
        }
    }

    @Test(arguments: [true, false])
    func heldFavoritesCanBeRemoved(allAtOnce: Bool) async throws {
        try await withFolder { folder in
            try await hold(folder)
            #expect(try folder.commands.list().entries.map(\.state) == [.held])

            if allAtOnce {
                #expect(try folder.commands.removeMissing() == [crab])
            } else {
                #expect(try folder.commands.removed("2026-11-20").names == [])
            }
            #expect(try folder.commands.list().entries.isEmpty)
            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
        }
    }

    /// By the name that “favorites list” prints.
    @Test func removeAcceptsTheNameOfARemovedLink() async throws {
        try await withFavorite { folder in
            folder.link("y", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            for name in ["x", "y"] { folder.remove("favorites/\(name)") }
            try await folder.reconcile()

            let removed = try folder.commands.remove(["x", "y", "nothing", "x"])

            #expect(removed.map { try? $0.get().day } == [crab, FolderUnderTest.comet, nil])
            try await folder.reconcile()
            #expect(folder.record(crab) == nil && folder.record(FolderUnderTest.comet) == nil)
        }
    }

    @Test func listPrintsTheSameBeforeAndAfterAScanOfTheDaemon() async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.link("wish", to: "../pictures/2024/2024-05/2024-05-01")
            folder.link("bad", to: "/etc/shadow")
            let before = try folder.commands.list()
            try await folder.reconcile()
            let after = try folder.commands.list()

            #expect(before.entries.map(\.state) == [.new, .new])
            let days = after.entries.map(\.favorite.day)
            #expect(before.entries.map(\.favorite.day) == days && days == [crab, moon])
            #expect(before.unrecognized == after.unrecognized)
            #expect(after.entries.map(\.state) == [.kept, .wanted])
            let first = try #require(after.json["favorites"]?.elements.first)
            #expect(
                first.members.map(\.key) == ["date", "title", "names", "via", "added", "state"])
            #expect(first["title"]?.string == "The Crab Nebula")
            #expect(after.json["unrecognized"]?.elements.first?["name"]?.string == "bad")
        }
    }

    /// And if the record of the day is damaged, the last title that is known.
    @Test func everyListOfFavoritesHasTheTitleAsNASACorrectedIt() async throws {
        try await withFolder { folder in
            try await hold(folder)
            folder.link("removed", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            _ = try folder.commands.remove(["removed"]).map { try $0.get() }
            try await folder.reconcile()
            folder.mirror(crab, "Corrected", crabPath, FolderUnderTest.picture("crab"))
            folder.mirror(
                FolderUnderTest.comet, "Corrected", FolderUnderTest.cometPath,
                FolderUnderTest.picture("comet!"))
            try await folder.reconcile()

            #expect(try folder.commands.list().entries.map(\.favorite.title) == ["Corrected"])
            #expect(try folder.commands.removedFavorites().map(\.favorite.title) == ["Corrected"])
            let report = folder.read("favorites/\(Layout.favoritesReport)")
            #expect(
                report.map { String(decoding: $0, as: UTF8.self) }?
                    .contains("2026-11-20 Corrected") == true)

            folder.write("metadata/2026/2026-11/2026-11-19.json", [1])
            #expect(
                try folder.commands.removedFavorites().map(\.favorite.title) == ["Comète d’été"])
        }
    }

    /// Without a daemon, nobody knows when the next run begins.
    @Test(arguments: [FileLock.Role.daemon, .command])
    func theListCountsTheSecondsUntilARemovalOnlyBesideADaemon(role: FileLock.Role) async throws {
        try await withTemporaryFolder { root in
            let folder = try FolderUnderTest(root, as: role)
            folder.link("x")
            try await folder.reconcile()
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 20)

            let removals = try folder.commands.list().entries.map(\.removal)

            #expect(removals == [role == .daemon ? .byDaemon(seconds: 40) : .byLaterRun])
        }
    }

    /// Nothing else says to its owner why what is in it is no favorite.
    @Test func listNamesAFolderThatCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("private/x")
                folder.link("bad", to: "/etc/shadow")
                precondition(unsafe chmod(folder.path("favorites/private"), 0) == 0)

                let list = try folder.commands.list()

                #expect(list.unrecognized.map(\.name.text) == ["bad", "private"])
                let reason = try #require(list.unrecognized.last).reason
                #expect(reason.hasPrefix("cannot be read (Permission denied): run “chmod a+rX”"))
                // The command may run as another user than the daemon.
                #expect(reason.contains(Account.effectiveName))
                precondition(unsafe chmod(folder.path("favorites/private"), 0o755) == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(10))) func besideADaemonACommandLeavesTheRecordsToIt() async throws {
        try await withTemporaryFolder { root in
            let known = KnownMirrors(environment: [:])
            let tree = try Tree.writing(root, known: known, as: .daemon)
            let beside = try await FavoriteCommands.open(root, known: known, minimumFree: 0) { _ in
                Issue.record("a daemon is waited for")
            }
            #expect(try await beside.reconcileUnlessDaemon() == nil)
            withExtendedLifetime(tree) {}
        }
    }

    /// Its scan may be over: nobody would record the link.
    @Test(.timeLimit(.minutes(10))) func besideACommandACommandWaits() async throws {
        try await withTemporaryFolder { root in
            let known = KnownMirrors(environment: [:])
            let tree = try Monitor<Tree?>(Tree.writing(root, known: known))
            let after = try await FavoriteCommands.open(root, known: known, minimumFree: 0) {
                holder in
                #expect(holder == FileLock.Holder(process: getpid(), role: .command))
                tree.withLock { $0 = nil }
            }
            #expect(try await after.reconcileUnlessDaemon() != nil)
        }
    }

    @Test func withoutADaemonACommandReconcilesItself() async throws {
        try await withFolder { folder in
            let alone = FavoriteCommands(of: folder.store)
            _ = try alone.add("latest")

            #expect(try await alone.reconcileUnlessDaemon()?.added.map(\.day) == [crab])
            #expect(folder.record(crab) != nil)
        }
    }

    /// A copy is made where no block is shared, as in memory.
    @Test func withoutADaemonACommandLeavesSpaceFree() async throws {
        try await withFolder(inMemory: true) { folder in
            folder.write("favorites/2026-11-20 mine.jpg", FolderUnderTest.picture("crab"))
            folder.remove(crabPath)
            let alone = FavoriteCommands(
                of: try Store(besideWriterOf: folder.tree, minimumFree: 1 << 60))

            await #expect(throws: SystemError.self) { try await alone.reconcileUnlessDaemon() }

            #expect(folder.read(crabPath) == nil)
        }
    }

    /// The requests belong to the user of the daemon; links do not.
    @Test func aMemberWithoutAccessToRequestsRemovesLinks() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("x")
                try await folder.reconcile()
                precondition(unsafe chmod(folder.path(".apod-mirror/requests"), 0o555) == 0)
                let commands = folder.commands

                let removals = try commands.remove(["x"]).map { try $0.get() }

                #expect(removals.map(\.isDelayed) == [true])
                #expect(folder.target("x") == nil)
                #expect(throws: FavoriteError.self) { try commands.remove(["x"]).first?.get() }
                precondition(unsafe chmod(folder.path(".apod-mirror/requests"), 0o755) == 0)
            }
        }
    }

    @Test func addingADayWithoutAPictureLinksThePageOfItsVideo() async throws {
        try await withFolder { folder in
            let page = "pictures/2024/2024-05/2024-05-01 Moon.html"
            folder.write(page, [1])
            let json: JSON = [
                "date": "2024-05-01", "title": "Moon", "explanation": "",
                "video": ["url": "https://www.youtube.com/watch?v=x", "page": .string(page)],
                "source": ["fetched": "2026-11-20T05:00:00Z"],
            ]
            folder.write("metadata/2024/2024-05/2024-05-01.json", json.document)

            let name = try folder.commands.add("2024-05-01")

            #expect(name.text == "2024-05-01 Moon.html")
            #expect(folder.target(name.text) == "../\(page)")
        }
    }

    /// Two favorites whose links were in a directory that was replaced.
    private func holdTwo(_ folder: FolderUnderTest) async throws {
        folder.link("x")
        folder.link("y", toPicture: FolderUnderTest.cometPath)
        try await replaceFavorites(in: folder)
    }

    /// A favorite whose link was in a directory that was replaced.
    private func hold(_ folder: FolderUnderTest) async throws {
        folder.link("a/x")
        try await replaceFavorites(in: folder)
    }

    /// The favorites are recorded, then another directory is in place of theirs.
    private func replaceFavorites(in folder: FolderUnderTest) async throws {
        try await folder.reconcile()
        folder.move("favorites", to: "old")
        folder.makeDirectory("favorites")
        try await folder.reconcile()
    }
}

extension FavoriteCommands {
    /// Adds one day.
    fileprivate func addOne(_ text: String, as name: String? = nil) throws -> AddedFavorite {
        try makeFavorites(of: [text], named: name)[0].get()
    }

    /// Adds one day, and returns the name of its link.
    func add(_ text: String, as name: String? = nil) throws -> FavoriteName {
        try addOne(text, as: name).name
    }

    /// Removes one favorite.
    fileprivate func removed(_ text: String) throws -> Removal { try remove([text])[0].get() }

    /// The names of the links of one favorite that were deleted; `nil` after an error.
    fileprivate func removedNames(_ text: String) -> [String]? {
        (try? removed(text))?.names.map(\.text)
    }

    /// The names of all restored links.
    func restored(_ texts: [String] = []) throws -> [FavoriteName] {
        try restore(texts).flatMap { try $0.get() }
    }
}
