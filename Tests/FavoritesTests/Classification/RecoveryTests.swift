import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Recovery from removals, interruptions and lost directories.
@Suite(.timeLimit(.minutes(10))) struct RecoveryTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet
    let crabPath = FolderUnderTest.crabPath
    let pin = ".apod-mirror/favorites/2026-11-20.jpg"

    // MARK: Removed favorites

    private func remove(_ name: String, in folder: FolderUnderTest) async throws {
        folder.remove("favorites/\(name)")
        try await folder.reconcile()
        folder.advance(seconds: 61)
        try await folder.reconcile()
        #expect(folder.record(crab) == nil)
    }

    @Test func aRemovedFavoriteCanBeRestored() async throws {
        try await withFavorite("a/x") { folder in
            try await remove("a/x", in: folder)
            // No other file has the picture now.
            folder.remove(crabPath)
            folder.restart()
            let commands = folder.commands
            #expect(try commands.removedFavorites().map(\.favorite.day) == [crab])
            #expect(try commands.restored().isEmpty)

            let restored = try commands.restored(["2026-11-20"])
            #expect(restored.map(\.text) == ["a/x"])
            try await folder.reconcile()

            #expect(folder.record(crab)?.names.map(\.text) == ["a/x"])
            #expect(folder.read(pin) == FolderUnderTest.picture("crab"))
            #expect(folder.read(crabPath) == FolderUnderTest.picture("crab"))
            #expect(try commands.removedFavorites().isEmpty)
        }
    }

    @Test func aRestoredFavoriteKeepsItsRecord() async throws {
        try await withFavorite { folder in
            let path = ".apod-mirror/favorites/2026-11-20.json"
            let record = try JSON(parsing: #require(folder.read(path)))
            let note = JSON.Member(key: "note", value: "of a user")
            folder.write(path, JSON.object(record.members + [note]).document)
            folder.restart()
            try await folder.reconcile()
            try await remove("x", in: folder)
            folder.setClock(forward: 86_400)

            folder.link("x")
            try await folder.reconcile()

            let restored = try JSON(parsing: #require(folder.read(path)))
            #expect(restored["added"] == record["added"])
            #expect(restored["note"]?.string == "of a user")
            #expect(try FavoriteStore(tree: folder.tree).removedFavorites().isEmpty)
        }
    }

    /// It has the record and the picture of each favorite that was removed in a month.
    @Test func theTrashIsReadOnlyWhenAFavoriteMayReturnFromIt() async throws {
        try await withFavorite { folder in
            try await remove("x", in: folder)
            folder.restart()
            try await folder.reconcile()
            let reads = try DirectoryReads(of: folder.path(".apod-mirror/trash"))

            for _ in 1...3 { try await folder.reconcile() }
            #expect(!reads.happened())

            folder.link("x")
            try await folder.reconcile()
            #expect(reads.happened())
            #expect(try folder.commands.removedFavorites().isEmpty)
        }
    }

    /// The trash is named by the later of the clock and NASA's newest day, so that no clock that is behind shortens the
    /// time in it; a computer without a battery starts in 1970.
    @Test(arguments: [
        (1_800_000_000, "2026-11-20", "2027-01-15"), (1_800_000_000, "2027-02-01", "2027-02-01"),
        (0, nil, "\(Day.last)"),
    ])
    func aRemovedFavoriteIsInTheTrashOfTheDayOfItsRemoval(
        seconds: Int, newest: String?, folderName: String
    ) async throws {
        try await withFavorite { folder in
            var state = SyncState()
            state.newest = newest.flatMap { Day(iso: $0) }
            if newest != nil { folder.write(".apod-mirror/state.json", state.stateDocument) }
            let favorite = try #require(folder.record(crab))

            try FavoriteStore(tree: folder.tree).moveToTrash(
                favorite, at: Date(timeIntervalSince1970: Double(seconds)))

            let trash = ".apod-mirror/trash/\(folderName)/2026-11-20 favorite"
            #expect(folder.read("\(trash).json") != nil)
            #expect(folder.read("\(trash).jpg") == FolderUnderTest.picture("crab"))
            #expect(folder.status(pin) == nil)
        }
    }

    /// The clock may be behind, and only `state.json` would tell.
    @Test func aRemovedFavoriteStaysInTheTrashIfTheNewestDayCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("x")
                try await folder.reconcile()
                try folder.store.save(SyncState())
                let state = folder.path(".apod-mirror/state.json")
                precondition(unsafe chmod(state, 0) == 0)
                let favorite = try #require(folder.record(FolderUnderTest.crab))

                try FavoriteStore(tree: folder.tree).moveToTrash(
                    favorite, at: Date(timeIntervalSince1970: 1_600_000_000))

                let trash = ".apod-mirror/trash/\(Day.last)/2026-11-20 favorite"
                #expect(folder.read("\(trash).json") != nil)
                precondition(unsafe chmod(state, 0o644) == 0)
            }
        }
    }

    // MARK: Items and pictures that are away

    /// NASA repeats pictures.
    @Test(arguments: [false, true])
    func theDateInTheNameOfADraggedOriginalDecides(isRecordLost: Bool) async throws {
        try await withFolder { folder in
            folder.mirror(
                comet, "The Same", FolderUnderTest.cometPath, FolderUnderTest.picture("crab"))
            folder.move(crabPath, to: "favorites/2026-11-20 The Crab Nebula.jpg")
            if isRecordLost { folder.remove("metadata/2026/2026-11/2026-11-20.json") }

            try await folder.reconcile()

            #expect(folder.record(crab) != nil && folder.record(comet) == nil)
        }
    }

    /// The name of a favorite has another file when it is read: the file of the scan cannot be read.
    @Test func aFavoriteWhoseFileCannotBeReadStays() async throws {
        try await withFolder { folder in
            let name = "favorites/copy.jpg"
            folder.write(name, FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.setTime(of: name, to: 1_700_000_000)
            let scan = Scan(of: folder.tree.root)
            folder.write("favorites/other", FolderUnderTest.picture("crab"))
            folder.move("favorites/other", to: name)
            for _ in 1...3 {
                folder.restart()
                let outcome = try await folder.favorites.reconcile(scan, checksAll: true)
                #expect(outcome.unrecognized.count == 1)
                folder.advance(seconds: 61)
            }

            #expect(folder.record(crab)?.isMissing == false)
        }
    }

    /// An original that a person moved to `favorites/` is a copy from then on.
    @Test(arguments: [FolderUnderTest.crabPath, FolderUnderTest.videoPath], [true, false])
    func aMovedOriginalIsCopiedBack(path: String, isPinned: Bool) async throws {
        try await withFolder { folder in
            folder.mirrorVideo()
            if isPinned { folder.link("pinned") }
            try await folder.reconcile()
            let contents = folder.read(path)
            let name = Layout.split(path).name
            folder.move(path, to: "favorites/\(name)")

            let outcome = try await folder.reconcile(checksAll: false)

            #expect(outcome.favorites[crab]?.names.map(\.text).contains(name) == true)
            #expect(folder.read(path) == contents && folder.read("favorites/\(name)") == contents)
            #expect(outcome.wanted.isEmpty)
            // A hard link would change with the file of the user.
            #expect(folder.status(path)?.identity != folder.status("favorites/\(name)")?.identity)
        }
    }

    @Test func aMovedPageIsWrittenAgainAndItsCopyIsAFavorite() async throws {
        try await withFolder { folder in
            let page = folder.mirrorPage()
            try await folder.reconcile()
            let contents = try #require(folder.read(page))
            folder.move(page, to: "favorites/watch.html")

            let outcome = try await folder.reconcile(checksAll: false)

            #expect(outcome.favorites[crab]?.names.map(\.text) == ["watch.html"])
            #expect(
                folder.read(page) == contents && folder.read("favorites/watch.html") == contents)
            #expect(outcome.wanted.isEmpty)
        }
    }

    @Test func aMovedOriginalIsPinnedAtOnce() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.move(crabPath, to: "favorites/mine")

            try await folder.reconcile(checksAll: false)

            #expect(folder.read(pin) == FolderUnderTest.picture("crab"))
        }
    }

    @Test(arguments: [FolderUnderTest.crabPath, FolderUnderTest.videoPath])
    func aLinkWhoseFileIsAwayIsNotReplaced(path: String) async throws {
        try await withFolder { folder in
            folder.mirrorVideo()
            folder.link("x", toPicture: path)
            try await folder.reconcile()
            folder.remove(path)

            try await folder.reconcile()

            #expect(folder.target("x") == "../\(path)")
        }
    }

    @Test func aLinkThatNemoMakesOfARecentFileIsRepaired() async throws {
        try await withFolder { folder in
            let name = Layout.split(crabPath).name
            folder.link(name, to: "/53ab2b0c8e1d")

            try await folder.reconcile()

            #expect(folder.record(crab)?.names.map(\.text) == [name])
            #expect(folder.target(name) == "../\(crabPath)")
        }
    }

    @Test func aCopyKeepsItsDayWhenNASARepeatsThePicture() async throws {
        try await withFolder { folder in
            folder.write("favorites/crab.jpg", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            let again = crab.advanced(by: 1)
            folder.mirror(
                again, "Again", "pictures/2026/2026-11/\(again) Again.jpg",
                FolderUnderTest.picture("crab"))
            folder.restart()

            #expect(try await folder.reconcile().added.isEmpty)
            #expect(folder.record(crab)?.isMissing == false)
        }
    }

    // MARK: The directory

    /// As at a reboot on btrfs, USB and NFS.
    @Test func aDirectoryIsRecognizedUnderAnotherDeviceNumber() async throws {
        try await withFavorite { folder in
            let bytes = try #require(folder.read(".apod-mirror/favorites/folder.json"))
            let text = String(decoding: bytes, as: UTF8.self)
            let device = try #require(folder.status("favorites")?.identity.device)
            #expect(!text.contains("\"\(device)\""))
            folder.remove("favorites/x")
            folder.reboot()

            #expect(try await folder.reconcile().favorites[crab]?.isHeld == false)
        }
    }

    @Test func anUnreadableSubdirectoryHoldsOnlyItsOwnFavorites() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("a/x")
                folder.link("y", toPicture: FolderUnderTest.cometPath)
                try await folder.reconcile()
                folder.makeDirectory("favorites/.Trash-1000")
                folder.makeDirectory("favorites/lost+found")
                for name in [".Trash-1000", "lost+found", "a"] {
                    precondition(unsafe chmod(folder.path("favorites/\(name)"), 0) == 0)
                }
                // The folders have just become unreadable, so that an item that disappears meanwhile may be in them.
                try await folder.reconcile()
                folder.remove("favorites/y")
                let outcome = try await folder.reconcile()
                #expect(outcome.notices.count == 1, "\(outcome.notices)")
                folder.advance(seconds: 61)
                try await folder.reconcile()

                #expect(folder.record(FolderUnderTest.comet) == nil)
                #expect(folder.record(FolderUnderTest.crab)?.isMissing == false)
                for name in [".Trash-1000", "lost+found", "a"] {
                    precondition(unsafe chmod(folder.path("favorites/\(name)"), 0o755) == 0)
                }
            }
        }
    }

    /// By a byte that changed, or by an end that is lost.
    @Test(arguments: [[9] + Array(FolderUnderTest.video.dropFirst()), [0]] as [[UInt8]])
    func aCopyOfADamagedVideoStaysAFavorite(damaged: [UInt8]) async throws {
        try await withFolder { folder in
            folder.mirrorVideo()
            folder.write("favorites/2026-11-20 my video.mp4", FolderUnderTest.video)
            try await folder.reconcile()
            folder.write(FolderUnderTest.videoPath, damaged)
            folder.restart()

            try await folder.reconcile()

            #expect(folder.record(crab)?.isMissing == false)
        }
    }
}
