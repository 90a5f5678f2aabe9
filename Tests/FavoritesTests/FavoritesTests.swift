import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Testing

@testable import Favorites

/// Favorites in a real directory.
@Suite(.timeLimit(.minutes(10))) struct FavoritesTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet
    let crabPath = FolderUnderTest.crabPath
    let cometPath = FolderUnderTest.cometPath

    @Test func aPinOfAnEarlierRevisionDoesNotReplaceALaterOne() async throws {
        try await withFolder { folder in
            folder.link("x.jpg")
            try await folder.reconcile()
            let path = crabPath
            folder.remove(path)
            folder.mirror(crab, "Edited", path, FolderUnderTest.picture("b2rc"))
            folder.remove(path)

            let outcome = try await folder.reconcile()

            #expect(folder.status(path) == nil)
            #expect(outcome.wanted == [crab])
            // Also after a change of another favorite.
            #expect(try await folder.reconcile(checksAll: false).wanted == [crab])
        }
    }

    @Test(arguments: [
        "../../../pictures/2026/2026-11/2026-11-20 Old Title.jpg",
        "../../../../../pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg",
        "../pictures/2026/2026-11/2026-11-20.png",
        "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg",
    ])
    func aBrokenLinkIsRepairedInPlace(target: String) async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/a/b")
            folder.link("a/b/mine", to: target)

            try await folder.reconcile()

            #expect(folder.target("a/b/mine") == "../../../\(crabPath)")
            #expect(try folder.tree.root.folder(".apod-mirror/incoming")?.names() == [])
            #expect(try await folder.reconcile().notices.isEmpty)
        }
    }

    /// Nothing says what became of the item: a program may have replaced it.
    @Test(arguments: [
        "a copy being saved", "a link written as a file", "a folder moved away", "a folder",
    ])
    func whatIsInPlaceOfAnItemRemovesNoFavorite(replacement: String) async throws {
        try await withFolder { folder in
            folder.write("favorites/set/copy", FolderUnderTest.picture("crab"))
            folder.link("set/x", toPicture: cometPath)
            try await folder.reconcile()
            switch replacement {
            case "a copy being saved":
                folder.write("favorites/set/copy", [])
            case "a link written as a file":
                folder.remove("favorites/set/x")
                folder.write("favorites/set/x", Array("XSym\n0010\n".utf8))
            case "a folder":
                folder.remove("favorites/set/x")
                folder.makeDirectory("favorites/set/x")
            default:
                folder.move("favorites/set", to: "set")
                folder.link("set", to: folder.path("set"))
            }
            for _ in 1...3 {
                folder.advance(seconds: 61)
                folder.restart()
                let outcome = try await folder.reconcile()
                #expect(outcome.favorites.values.map(\.isMissing) == [false, false])
                // A folder is no item.
                #expect(outcome.unrecognized.count == (replacement == "a folder" ? 0 : 1))
                #expect(outcome.failures.isEmpty)
            }
            folder.remove("favorites/set")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            #expect(try await folder.reconcile().favorites.isEmpty)
        }
    }

    /// `mv` and `ln -s` with a scan between them: only when the link is deleted, it is certain that the item is gone.
    @Test func theMinuteBeginsAnewWhenItWasNotCertainThatAnItemIsGone() async throws {
        try await withFavorite("set/x") { folder in
            folder.move("favorites/set", to: "set")
            #expect(try await folder.reconcile().favorites[crab]?.isMissing == true)
            folder.link("set", to: folder.path("set"))
            try await folder.reconcile()
            folder.advance(seconds: 61)
            try await folder.reconcile()
            #expect(try folder.commands.list().entries.map(\.removal) == [nil])

            folder.remove("favorites/set")

            #expect(try await folder.reconcile().favorites[crab]?.isMissing == true)
            folder.advance(seconds: 61)
            #expect(try await folder.reconcile().favorites.isEmpty)
        }
    }

    /// Of three favorites with two items each, a scan sees that one item of each is gone, and then that all are.
    @Test(arguments: [false, true], [59.0, 61])
    func theItemsThatDisappearedInTheSameMinuteComeBackTogether(
        withFolder isFolderDeleted: Bool, after seconds: Double
    ) async throws {
        try await withFolder { folder in
            let moonPath = "pictures/2024/2024-05/2024-05-01 Moon.jpg"
            folder.mirror(FolderUnderTest.moon, "Moon", moonPath, FolderUnderTest.picture("moon"))
            for (name, picture) in [("a", crabPath), ("b", cometPath), ("c", moonPath)] {
                folder.link("Best/\(name)", toPicture: picture)
                folder.link("Space/\(name)", toPicture: picture)
            }
            folder.write("favorites/Best/copy.jpg", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.remove("favorites/Best")
            try await folder.reconcile()
            folder.advance(seconds: seconds)

            folder.remove(isFolderDeleted ? "favorites" : "favorites/Space")
            try await folder.reconcile()
            if !isFolderDeleted { _ = try folder.commands.restored() }

            let favorites = try await folder.reconcile().favorites.values
            let names = favorites.flatMap { $0.names.map(\.text) }.sorted()
            let best = ["Best/a", "Best/b", "Best/c", "Best/copy (link).jpg"]
            #expect(names == (seconds < 60 ? best : []) + ["Space/a", "Space/b", "Space/c"])
            #expect(favorites.filter(\.isMissing).isEmpty)
        }
    }

    /// Also while a scan finds it nowhere, as during a move, and after another edit.
    @Test func anEditedCopyStaysAFavoriteWhenItIsRenamed() async throws {
        try await withFolder { folder in
            folder.write("favorites/set/copy", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.write("favorites/set/copy", FolderUnderTest.picture("better"))
            #expect(try await folder.reconcile().unrecognized.isEmpty)
            #expect(folder.record(crab)?.kind == .copy)

            folder.restart()
            try await folder.reconcile()
            for name in ["album", "album 2"] {
                folder.move(name == "album" ? "favorites/set" : "favorites/album", to: "away")
                try await folder.reconcile()
                folder.move("away", to: "favorites/\(name)")
                folder.move("favorites/\(name)/copy", to: "favorites/\(name)/my crab.jpg")
                let outcome = try await folder.reconcile()
                #expect(outcome.unrecognized.isEmpty)
                #expect(folder.record(crab)?.names.map(\.text) == ["\(name)/my crab.jpg"])
                folder.write("favorites/\(name)/my crab.jpg", FolderUnderTest.picture(name))
                try await folder.reconcile()
                folder.move("favorites/\(name)/my crab.jpg", to: "favorites/\(name)/copy")
                try await folder.reconcile()
            }
            folder.advance(seconds: 61)
            folder.restart()
            #expect(try await folder.reconcile().favorites[crab]?.isMissing == false)
        }
    }

    /// Neither a picture that was there before, nor one that has come since.
    @Test func aPictureOfAPersonHoldsNoFavorite() async throws {
        try await withFolder { folder in
            folder.write("favorites/copy", FolderUnderTest.picture("crab"))
            folder.write("favorites/holiday", FolderUnderTest.picture("holiday"))
            try await folder.reconcile()

            folder.remove("favorites/copy")
            folder.write("favorites/birthday", FolderUnderTest.picture("crew"))
            try await folder.reconcile()
            folder.advance(seconds: 61)

            #expect(try await folder.reconcile().favorites.isEmpty)
        }
    }

    /// The link is replaced, so that no later picture changes its day; its name keeps the day where it cannot be.
    @Test(arguments: [0o755, 0o555] as [mode_t])
    func aLinkThroughLatestKeepsItsDay(mode: mode_t) async {
        await #expect(processExitsWith: .success) { [mode] in
            try await withFolderOfNobody { folder in
                folder.link("set/today", toPicture: "latest.jpg")
                precondition(unsafe chmod(folder.path("favorites/set"), mode) == 0)
                try await folder.reconcile()
                let target = mode == 0o755 ? FolderUnderTest.crabPath : "latest.jpg"
                #expect(folder.target("set/today") == "../../\(target)")
                folder.remove("latest.jpg")
                try folder.tree.root.symlink("latest.jpg", to: FolderUnderTest.cometPath)
                folder.restart()

                let favorites = try await folder.reconcile().favorites

                #expect(favorites.keys.map(\.description) == ["2026-11-20"])
                precondition(unsafe chmod(folder.path("favorites/set"), 0o755) == 0)
            }
        }
    }

    /// `ln -s "$PWD/../latest.jpg"` in a shell; behind `pictures/..`, there may be another folder.
    @Test(arguments: [
        ("today", "favorites/../latest.jpg", true),
        ("set/today", "favorites/set/../../latest.jpg", true),
        ("set/today", "favorites/../latest.jpg", true),
        ("today", "pictures/../latest.jpg", false),
        ("today", "favorites/set/../../latest.jpg", false),
    ])
    func anAbsoluteLinkUpFromItsFolderToLatestKeepsItsDay(
        name: String, path: String, isReplaced: Bool
    ) async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/set")
            let target = "\(folder.tree.root.path)/\(path)"
            folder.link(name, to: target)

            let favorites = try await folder.reconcile().favorites

            #expect(Array(favorites.keys) == [crab])
            let up = name == "today" ? "../" : "../../"
            #expect(
                folder.target(name) == (isReplaced ? up + FolderUnderTest.crabPath : target))
        }
    }

    @Test func aNewerLinkThroughLatestOfTheSameNameIsTheNewestDay() async throws {
        try await withFolder { folder in
            folder.link("today", to: "../latest.jpg")
            try await folder.reconcile()
            folder.remove("latest.jpg")
            try folder.tree.root.symlink("latest.jpg", to: FolderUnderTest.cometPath)

            folder.remove("favorites/today")
            folder.link("today", to: "../latest.jpg")
            folder.setTime(
                of: "favorites/today", to: Int(folder.now().timeIntervalSince1970) + 60)
            try await folder.reconcile()

            #expect(folder.target("today") == "../\(FolderUnderTest.cometPath)")
        }
    }

    /// The derived files of the newest day: its record, or a copy of its picture; not a user's file of that time.
    @Test(arguments: [
        (Layout.latestRecord, true), (Layout.latestPicture, true), (Layout.latestPicture, false),
        (Layout.latestRecord, false),
    ])
    func aLinkToADerivedFileIsOfItsDay(name: String, isOfMirror: Bool) async throws {
        try await withFolder { folder in
            let store = try Store(tree: folder.tree, minimumFree: 0)
            let record = try store.record(of: crab)?.json.document ?? []
            let saved = Array("{\"date\": \"\(crab)\", \"title\": \"An answer of NASA\"}".utf8)
            let bytes =
                name == Layout.latestPicture
                ? FolderUnderTest.picture(isOfMirror ? "crab" : "small")
                : isOfMirror ? record : saved
            let file = ViewFiles.File(path: name, bytes: bytes, modified: crab.noon)
            folder.remove(name)
            if isOfMirror {
                _ = try ViewFiles(of: .latest, in: store).publish([file])
            } else {
                folder.write(name, bytes)
                try folder.tree.root.setModified(crab.noon, of: name)
            }
            folder.link("today", to: "../\(name)")

            let favorites = try await folder.reconcile().favorites

            #expect(Array(favorites.keys) == (isOfMirror ? [crab] : []))
        }
    }

    // MARK: Removal

    @Test func anotherDirectoryInItsPlaceRemovesNoFavorite() async throws {
        try await withFavorite { folder in
            folder.move("favorites", to: "old")
            folder.makeDirectory("favorites")
            // A scan of a part of it does not make it known.
            _ = try await folder.favorites.reconcile(Self.partial(Scan(of: folder.tree.root)))

            let first = try await folder.reconcile()
            folder.advance(seconds: 3600)
            folder.restart()
            let second = try await folder.reconcile()

            #expect([first, second].allSatisfy { $0.favorites[crab]?.isHeld == true })
        }
    }

    @Test func aLinkInPlaceOfFavoritesIsReported() async throws {
        try await withFavorite { folder in
            folder.remove("favorites")
            try folder.tree.root.symlink("favorites", to: "/etc")

            let outcome = try await folder.reconcile()

            #expect(outcome.notices.count == 1)
            #expect(outcome.favorites.count == 1)
        }
    }

    @Test func anUnreadableDirectoryRemovesNoFavorite() async throws {
        try await withFavorite { folder in
            folder.remove("favorites/x")
            let scan = Self.partial(Scan(of: folder.tree.root))
            for _ in 0..<3 {
                folder.advance(seconds: 3600)
                let outcome = try await folder.favorites.reconcile(scan)
                #expect(outcome.favorites[crab]?.isMissing == false)
                #expect(outcome.notices.count == 1)
            }
        }
    }

    /// The scan with an unreadable part.
    private static func partial(_ scan: Scan) -> Scan {
        let error = SystemError("open", path: "favorites", code: EACCES)
        return Scan(
            place: scan.place, items: scan.items, failures: [.init(path: [], error: error)])
    }

    // MARK: Damage

    /// Beside the running daemon: the next scan makes it again.
    @Test(arguments: ["2026-11-20.json", "2026-11-20.jpg"], [[], [1, 2]] as [[UInt8]])
    func aRecordOrPinIsMadeAgainWhileRunning(name: String, bytes: [UInt8]) async throws {
        try await withFavorite { folder in
            let path = ".apod-mirror/favorites/\(name)"
            folder.remove(path)
            if !bytes.isEmpty, name.hasSuffix("json") { folder.write(path, bytes) }

            try await folder.reconcile(checksAll: false)

            #expect(folder.record(crab)?.isMissing == false)
            #expect(
                folder.read(".apod-mirror/favorites/2026-11-20.jpg")
                    == FolderUnderTest.picture("crab"))
        }
    }

    @Test(arguments: [
        "{\"date\": \"2026-1", "", "[]",
        #"{"date": "1999-01-01", "added": "2026-11-20T05:00:00Z", "names": []}"#,
    ])
    func aDamagedRecordIsMovedAsideAndRecreated(text: String) async throws {
        try await withFavorite { folder in
            folder.write(".apod-mirror/favorites/2026-11-20.json", Array(text.utf8))
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.isHeld == false)
            #expect(folder.record(crab)?.names.map(\.text) == ["x"])
            let aside = ".apod-mirror/favorites/2026-11-20.json.damaged"
            #expect(folder.read(aside) == Array(text.utf8))
            #expect(outcome.notices.count == 1)
            #expect(try await folder.reconcile().notices.isEmpty)
        }
    }

    /// The name of a record that is set aside may be taken.
    @Test func aDamagedRecordReplacesNoEarlierOne() async throws {
        try await withFolder { folder in
            let path = ".apod-mirror/favorites"
            folder.write("\(path)/2026-11-20.json.damaged", [1])
            folder.write("\(path)/2026-11-20.json", [2])
            folder.link("x")

            try await folder.reconcile()

            let names = try folder.tree.root.folder(path)?.textNames() ?? []
            let files = names.map { folder.read("\(path)/\($0)") }
            #expect(files.contains([1]) && files.contains([2]), "\(names)")
            #expect(folder.record(crab)?.names.map(\.text) == ["x"])
        }
    }

    /// Even if the title of the day is no longer known.
    @Test(arguments: [true, false])
    func aLostRecordIsRecreatedFromThePinAlone(isMirrored: Bool) async throws {
        try await withFavorite { folder in
            folder.remove(".apod-mirror/favorites/2026-11-20.json")
            folder.remove("favorites/x")
            if !isMirrored { folder.remove("metadata/2026/2026-11/2026-11-20.json") }
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.isHeld == true)
            #expect(folder.record(crab)?.isHeld == true)
        }
    }

    @Test(arguments: [
        "2026-11-20.sync-conflict-20261121-101112-ABCDEFG.json", "2026-11-20.jpg~",
        "2026-11-20.jpg.part", "2026-11-20.",
    ])
    func aFileThatIsNoPinMakesNoFavorite(name: String) async throws {
        try await withFolder { folder in
            folder.write(".apod-mirror/favorites/\(name)", [1])

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.isEmpty)
            #expect(folder.record(crab) == nil)
        }
    }
}
