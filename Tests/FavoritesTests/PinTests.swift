import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Testing

@testable import Favorites

/// The pins of favorites: of what they are, and what they restore.
@Suite(.timeLimit(.minutes(10))) struct PinTests {
    let crab = FolderUnderTest.crab
    let crabPath = FolderUnderTest.crabPath
    let pin = ".apod-mirror/favorites/2026-11-20.jpg"
    let picture = FolderUnderTest.picture("crab")
    let other = FolderUnderTest.picture("another crab")

    /// A whole JPEG: its start, a frame of 256 x 256 pixels, a comment, an empty scan, and its end.
    private static let wholePicture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 1, 0, 1, 0, 1, 1, 0x11, 0]
        + [0xFF, 0xFE, 0, 8] + Array("a crab".utf8) + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]

    /// Deletes the picture of the crab as `--keep` does.
    private func removePicture(in folder: FolderUnderTest) throws {
        let path = Layout.recordPath(of: crab)
        let bytes = try #require(folder.read(path))
        var record = try #require(DayRecord(bytes, of: crab))
        record.picture?.removed = folder.now()
        folder.write(path, record.json.document)
        folder.remove(crabPath)
    }

    private func state(in folder: FolderUnderTest) throws -> FavoriteList.State? {
        try folder.commands.list().entries.first { $0.favorite.day == crab }?.state
    }

    @Test func aFavoriteThatIsRestoredAfterItsPictureWasRemovedHasItFromItsPin() async throws {
        try await withFavorite { folder in
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            try await folder.reconcile()
            try removePicture(in: folder)
            folder.restart()

            let links = try folder.commands.restore(["2026-11-20"])
            #expect(links.count == 1)
            let outcome = try await folder.reconcile()

            #expect(outcome.wanted.isEmpty && outcome.didRestorePictures)
            #expect(folder.read(crabPath) == picture && folder.read(pin) == picture)
            #expect(folder.target("x") == "../\(crabPath)")
            #expect(try state(in: folder) == .kept)
        }
    }

    /// The picture shares its bytes with the pin, as before, but not with a file that a person may edit.
    @Test func aPictureThatIsRestoredFromItsPinTakesNoMoreSpace() async throws {
        try await withFavorite { folder in
            folder.remove(crabPath)
            // As after “cp -r”.
            folder.setTime(of: pin, to: 1_700_000_000)

            try await folder.reconcile()

            #expect(folder.read(crabPath) == picture)
            #expect(folder.status(crabPath)?.identity == folder.status(pin)?.identity)
            let record = try folder.store.record(of: crab)
            #expect(folder.status(crabPath)?.modified == record?.fileTime)

            folder.write("favorites/2026-11-20 mine.jpg", picture)
            folder.remove(crabPath)
            folder.remove(pin)
            folder.restart()
            try await folder.reconcile()

            let copy = folder.status("favorites/2026-11-20 mine.jpg")
            #expect(folder.read(crabPath) == picture && folder.read(pin) == picture)
            #expect(folder.status(crabPath)?.identity != copy?.identity)
        }
    }

    /// As by an editor, whose new file takes the name; or by a link to another disk, to which the picture has moved.
    @Test(arguments: ["a file", "a link", "a copy in favorites/"])
    func aPictureThatAPersonReplacedComesBackFromItsPin(thing: String) async throws {
        try await withFavorite { folder in
            folder.remove(crabPath)
            if thing == "a link" {
                try folder.tree.root.symlink(crabPath, to: "/mnt/crab.jpg")
            } else {
                folder.write(crabPath, other)
            }
            if thing == "a copy in favorites/" {
                folder.remove(pin)
                folder.write("favorites/2026-11-20 mine.jpg", picture)
            }

            let outcome = try await folder.reconcile()

            #expect(outcome.wanted.isEmpty && outcome.didRestorePictures)
            #expect(folder.read(crabPath) == picture)
            let damaged = try #require(try folder.tree.root.folder(Layout.damaged))
            let names = try damaged.textNames()
            try #require(names.count == 1)
            if thing == "a link" {
                #expect(damaged.target(of: names[0]) == "/mnt/crab.jpg")
            } else {
                #expect(try damaged.read(names[0]) == other)
            }
            #expect(outcome.notices.contains { $0.contains("\(crabPath) was changed") })
            // Nothing is left to check.
            #expect(folder.status("favorites/\(Layout.favoritesReport)") == nil)
        }
    }

    /// A download moves it to `aside/`, where `--keep` never deletes it.
    @Test func aFileAtThePathOfARemovedPictureStays() async throws {
        try await withFavorite { folder in
            try removePicture(in: folder)
            folder.write(crabPath, other)

            #expect(try await folder.reconcile().wanted == [crab])

            #expect(folder.read(crabPath) == other)
        }
    }

    /// The next scan restores it, unless a download has done so.
    @Test func aPictureOnWhichASyncWorksIsNotReplaced() async throws {
        try await withFavorite { folder in
            folder.remove(crabPath)
            folder.write(crabPath, other)
            try #require(folder.store.claims.claim(crab))

            #expect(try await folder.reconcile().wanted == [crab])
            #expect(folder.read(crabPath) == other)

            folder.store.claims.release(crab)
            #expect(try await folder.reconcile().wanted.isEmpty)
            #expect(folder.read(crabPath) == picture)
        }
    }

    /// A sync has published it after the record was read.
    @Test func aPictureOfALaterRecordIsNotReplacedByThatOfTheRecordBefore() async throws {
        try await withFavorite { folder in
            let earlier = try #require(try folder.store.record(of: crab))
            folder.remove(crabPath)
            folder.mirror(crab, "The Crab Nebula", crabPath, other)
            let run = ReconcileRun(
                in: folder.store, after: FavoritesMemory(), clock: folder.now,
                uptimeClock: folder.uptime)

            #expect(!run.copyBack(earlier, from: [Array(pin.utf8)]))

            #expect(folder.read(crabPath) == other)
            #expect(try folder.tree.root.status(Layout.damaged) == nil)
        }
    }

    /// As after a month was moved to another disk: a sync reports the link, and each scan would fail by it.
    @Test func aPictureBehindALinkInPlaceOfItsFolderStays() async throws {
        try await withFavorite { folder in
            let month = Layout.split(crabPath).folder
            folder.move(month, to: "moved")
            try folder.tree.root.symlink(month, to: folder.path("moved"))

            let outcome = try await folder.reconcile()

            #expect(outcome.failures.isEmpty && !outcome.didRestorePictures, "\(outcome)")
            #expect(folder.status(month)?.kind == .symbolicLink)
            #expect(folder.read("moved/\(Layout.split(crabPath).name)") == picture)
        }
    }

    @Test func aCopyInFavoritesRestoresARemovedPicture() async throws {
        try await withFolder { folder in
            try removePicture(in: folder)
            folder.write("favorites/2026-11-20 mine.jpg", picture)

            let outcome = try await folder.reconcile()

            #expect(outcome.wanted.isEmpty)
            #expect(folder.read(crabPath) == picture && folder.read(pin) == picture)
        }
    }

    @Test func aFileOfTheSameSizeInFavoritesIsNotThePicture() async throws {
        try await withFolder { folder in
            folder.remove(crabPath)
            folder.write("favorites/2026-11-20 mine.jpg", FolderUnderTest.picture("barc"))

            let outcome = try await folder.reconcile()

            #expect(outcome.wanted == [crab] && folder.read(crabPath) == nil)
        }
    }

    /// Whether NASA has it is not known yet.
    @Test(arguments: [true, false])
    func aFavoriteWithoutItsPictureIsWantedAndNotKept(isRemoved: Bool) async throws {
        try await withFolder { folder in
            if isRemoved { try removePicture(in: folder) } else { folder.remove(crabPath) }
            folder.link("x")

            let outcome = try await folder.reconcile()

            #expect(outcome.wanted == [crab])
            #expect(try state(in: folder) == .wanted)
        }
    }

    /// Its record names no file, as after a download that failed.
    @Test(arguments: [nil, RetryState.Cause.unreachable, .lost, .noImage])
    func aFavoriteWithoutAnyFileIsRequestedUntilItsPictureComes(
        cause: RetryState.Cause?
    ) async throws {
        try await withFolder { folder in
            let path = Layout.recordPath(of: crab)
            let bytes = try #require(folder.read(path))
            var record = try #require(DayRecord(bytes, of: crab))
            record.picture = nil
            folder.write(path, record.json.document)
            folder.remove(crabPath)
            var saved = try folder.store.state()
            let now = folder.now()
            saved.retries[crab] = cause.map { RetryState($0, "…", after: nil, at: now) }
            try folder.store.save(saved)
            folder.link("x")

            let outcome = try await folder.reconcile()
            let next = try await folder.reconcile(checksAll: false)

            #expect(outcome.wanted == [crab] && next.wanted == [crab])
            let isOver = cause == nil || cause == .noImage
            let state = try state(in: folder)
            #expect(state == (isOver ? .kept : .wanted))
        }
    }

    /// Also of one with as many bytes.
    @Test(arguments: ["another crab", String(repeating: "c", count: 28)])
    func thePinOfAPictureThatNASAReplacedIsThatOfTheNewOne(contents: String) async throws {
        try await withFolder { folder in
            let picture = Self.wholePicture
            folder.mirror(crab, "The Crab Nebula", crabPath, picture)
            folder.link("x")
            try await folder.reconcile()
            let other = FolderUnderTest.picture(contents)
            folder.remove(crabPath)
            folder.mirror(crab, "The Crab Nebula", crabPath, other)
            folder.setTime(of: crabPath, to: 1_900_000_000)

            try await folder.reconcile()

            #expect(folder.read(pin) == other)
            // Nothing else had it.
            let previous = try folder.tree.root.folder(Layout.previous)?.textNames() ?? []
            try #require(previous.count == 1)
            #expect(folder.read("\(Layout.previous)/\(previous[0])") == picture)

            let identity = folder.status(pin)?.identity
            try await folder.reconcile()
            #expect(folder.status(pin)?.identity == identity)
        }
    }

    /// As on a disk without hard links, where the pin is a copy; NASA never had these bytes.
    @Test(arguments: [[], Array(wholePicture.prefix(20)), Array(repeating: 0, count: 9)])
    func aDamagedPinIsNoEarlierVersion(bytes: [UInt8]) async throws {
        try await withFolder { folder in
            folder.mirror(crab, "The Crab Nebula", crabPath, Self.wholePicture)
            folder.link("x")
            try await folder.reconcile()
            folder.remove(pin)
            folder.write(pin, bytes)

            let outcome = try await folder.reconcile()

            #expect(folder.read(pin) == Self.wholePicture)
            let root = folder.tree.root
            #expect(try root.folder(Layout.previous)?.textNames() ?? [] == [])
            #expect(try root.folder(Layout.damaged)?.textNames().count == 1)
            #expect(outcome.notices.contains { $0.contains("the pin of \(crab) was damaged") })
        }
    }

    @Test func thePinOfAPictureOfAnotherTypeTakesThePlaceOfTheOldOne() async throws {
        try await withFavorite { folder in
            let path = crabPath.replacing(".jpg", with: ".png")
            folder.remove(crabPath)
            folder.mirror(crab, "The Crab Nebula", path, other)

            try await folder.reconcile()

            let names = try folder.tree.root.folder(FavoriteStore.folder)?.textNames() ?? []
            #expect(
                names.filter { $0.hasPrefix("\(crab)") && !$0.hasSuffix(".json") } == [
                    "\(crab).png"
                ])
            #expect(folder.read(".apod-mirror/favorites/2026-11-20.png") == other)
        }
    }

    /// As a disk that rots, or a program that edits the picture.
    @Test func thePinOfADamagedPictureStays() async throws {
        try await withFavorite { folder in
            folder.remove(crabPath)
            folder.write(crabPath, FolderUnderTest.picture("carb"))
            folder.setTime(of: crabPath, to: 1_900_000_000)

            try await folder.reconcile()

            #expect(folder.read(pin) == picture)
        }
    }

    /// On a disk that has neither hard links nor times that a program sets.
    @Test func aPinThatIsACopyWithATimeOfItsOwnIsNotMadeAgain() async throws {
        try await withFavorite { folder in
            folder.setTime(of: crabPath, to: 1_700_000_000)
            folder.remove(pin)
            folder.write(pin, picture)
            let identity = folder.status(pin)?.identity

            try await folder.reconcile()

            #expect(folder.status(pin)?.identity == identity)
        }
    }
}
