import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Files that were classified before are not read again, and unknown files do not delay links.
@Suite(.timeLimit(.minutes(10))) struct KnownFileTests {
    let crab = FolderUnderTest.crab

    /// Favorites on a slow disk: each question for the time, after a file was read, takes a second.
    private func slowFavorites(of folder: FolderUnderTest) -> Favorites {
        let milliseconds = Monitor(0)
        return Favorites(
            of: folder.store, now: folder.now,
            uptime: {
                milliseconds.withLock { $0 += 1000 }
                return Uptime(boot: "first", milliseconds: milliseconds.withLock { $0 })
            })
    }

    /// A copy that is recorded is not hashed: its end, which is not compared, may be another.
    @Test func recordedCopiesAreNotHashedAgain() async throws {
        try await withFolder { folder in
            let picture = FolderUnderTest.picture("moon") + [UInt8](repeating: 0, count: 100_000)
            folder.mirror(
                FolderUnderTest.moon, "Moon", "pictures/2024/2024-05/2024-05-01 Moon.jpg", picture)
            folder.write("favorites/copy.jpg", picture)
            try await folder.reconcile()
            folder.write("favorites/copy.jpg", picture.dropLast() + [1])
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[FolderUnderTest.moon]?.kind == .copy)
            #expect(outcome.unrecognized.count == 0)
        }
    }

    /// A person has edited the picture in place; only its record says of what the file in `favorites/` is a copy.
    @Test func aCopyOfAPictureWhoseRecordCannotBeReadIsNotForeign() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.write(FolderUnderTest.crabPath, FolderUnderTest.picture("CRAB"))
                folder.write("favorites/mine.jpg", FolderUnderTest.picture("crab"))
                let record = folder.path(Layout.recordPath(of: FolderUnderTest.crab))
                precondition(unsafe chmod(record, 0) == 0)

                let outcome = try await folder.reconcile()

                let reason = outcome.unrecognized.first?.reason
                #expect(reason?.hasPrefix("cannot be read") == true, "\(reason ?? "none")")
                precondition(unsafe chmod(record, 0o644) == 0)
                #expect(try await folder.reconcile().favorites[FolderUnderTest.crab] != nil)
            }
        }
    }

    @Test func aCancelledScanReadsNoFileAndRemovesNothing() async throws {
        try await withFolder { folder in
            folder.write("favorites/copy.jpg", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.restart()
            let (favorites, scan) = (folder.favorites, Scan(of: folder.tree.root))
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await favorites.reconcile(scan)
            }
            task.cancel()

            let outcome = try await task.value

            #expect(
                outcome.favorites[crab]?.isMissing == false && outcome.timeUntilNextScan == .zero)
        }
    }

    /// Unknown files of the size of a picture, which begin like it.
    @Test func aNewLinkIsRecordedBeforeUnknownFilesAreRead() async throws {
        try await withFolder { folder in
            let picture = FolderUnderTest.picture("moon") + [UInt8](repeating: 0, count: 100_000)
            folder.mirror(
                FolderUnderTest.moon, "Moon", "pictures/2024/2024-05/2024-05-01 Moon.jpg", picture)
            for number in 1...4 {
                folder.write("favorites/unknown \(number)", picture.dropLast() + [UInt8(number)])
            }
            folder.write("favorites/z", picture)
            folder.link("x")
            let scan = Scan(of: folder.tree.root)

            let favorites = slowFavorites(of: folder)
            let first = try await favorites.reconcile(scan, checksAll: false, isBrief: true)
            #expect(first.favorites.keys.sorted() == [crab])
            #expect(first.timeUntilNextScan == .zero)
            #expect(first.unrecognized.count == 0)

            var scans = 1
            var outcome = first
            while outcome.timeUntilNextScan == .zero, scans < 20 {
                outcome = try await favorites.reconcile(scan, checksAll: false, isBrief: true)
                scans += 1
            }
            #expect(outcome.favorites.keys.sorted() == [FolderUnderTest.moon, crab])
            #expect(outcome.unrecognized.count == 4)
            #expect(scans > 3)
        }
    }

    /// The mirror changes while files are left unread.
    @Test func allFavoritesAreCheckedOnceTheUnreadFilesAreRead() async throws {
        try await withFavorite { folder in
            for number in 1...3 {
                folder.write(
                    "favorites/unknown \(number)",
                    FolderUnderTest.picture("mine") + [UInt8](repeating: 0, count: 100_000))
            }
            let (favorites, scan) = (slowFavorites(of: folder), Scan(of: folder.tree.root))
            var outcome = try await favorites.reconcile(scan, checksAll: false, isBrief: true)
            #expect(outcome.timeUntilNextScan == .zero)
            folder.remove(FolderUnderTest.crabPath)
            outcome = try await favorites.reconcile(scan, checksAll: true, isBrief: true)
            #expect(
                outcome.timeUntilNextScan == .zero && folder.read(FolderUnderTest.crabPath) == nil)
            for _ in 1...9 where outcome.timeUntilNextScan == .zero {
                outcome = try await favorites.reconcile(scan, checksAll: false, isBrief: true)
            }

            #expect(folder.read(FolderUnderTest.crabPath) == FolderUnderTest.picture("crab"))
        }
    }

    /// Its name comes back into the record when the last link goes, in the scan that finds it.
    @Test func anEditedCopyUnderANameThatWasLostIsTheFavorite() async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.link("y")
            try await folder.reconcile()
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.write("favorites/x", FolderUnderTest.picture("an edit"))
            folder.setTime(of: "favorites/x", to: 1_700_000_000)
            folder.remove("favorites/y")
            try await folder.reconcile(checksAll: false)

            try await folder.reconcile(checksAll: false)

            let record = folder.record(FolderUnderTest.crab)
            #expect(record?.isMissing == false && record?.names.map(\.text) == ["x"])
        }
    }

    /// It is gone when it would be read, in each scan before the other.
    @Test func aFileThatCannotBeReadKeepsNoOtherUnread() async throws {
        try await withFolder { folder in
            folder.write("favorites/a", FolderUnderTest.picture("a"))
            folder.write("favorites/b", FolderUnderTest.picture("crab"))
            var scan = Scan(of: folder.tree.root)
            scan.items.sort { $0.name < $1.name }
            folder.remove("favorites/a")

            let outcome = try await slowFavorites(of: folder).reconcile(scan, isBrief: true)

            #expect(outcome.favorites.keys.map(\.description) == [crab.description])
            #expect(outcome.timeUntilNextScan == nil)
        }
    }

    /// Another program, such as Samba, has a lease of the file: open(2) fails with EAGAIN, see fcntl(2).
    @Test func aFileThatIsInUseIsNotScannedWithoutPause() async {
        await #expect(processExitsWith: .success) {
            try await withFolder(inMemory: true) { folder in
                signal(SIGIO, SIG_IGN)
                folder.write("favorites/x", FolderUnderTest.picture("crab"))
                let file = unsafe open(folder.path("favorites/x"), O_RDWR)
                // F_SETLEASE
                precondition(fcntl(file, 1024, Int32(F_WRLCK)) == 0, "\(errno)")

                let outcome = try await folder.favorites.reconcile(
                    Scan(of: folder.tree.root), isBrief: true)

                #expect(outcome.unrecognized.count == 1)
                #expect(outcome.timeUntilNextScan == nil)
                close(file)
            }
        }
    }

    @Test(arguments: [FolderUnderTest.picture("crab"), Array("https://apod.nasa.gov/ap".utf8)])
    func aCopyThatGrowsIsReadLater(beginning: [UInt8]) async throws {
        try await withFolder { folder in
            folder.write("favorites/x", beginning)
            let scan = Scan(of: folder.tree.root)
            precondition(unsafe truncate(folder.path("favorites/x"), 1 << 40) == 0)

            let outcome = try await folder.favorites.reconcile(scan)

            #expect(
                outcome.unrecognized.map(\.reason) == ["is being copied: it grew while it was read"]
            )
            #expect(outcome.timeUntilNextScan == RetryDelay.growingFile)
        }
    }

    /// A walk lists the directories of all months.
    ///
    /// The copy in the mirror is none of the process, which would know of it.
    @Test(arguments: [-60.0, 60])
    func onlyAFileThatIsNewerThanTheHeldWalkCausesAnother(seconds: Double) async throws {
        try await withFolder { folder in
            let snapshots = folder.store.snapshots
            let favorites = Favorites(of: folder.store, now: folder.now, uptime: folder.uptime)
            folder.write("favorites/mine.jpg", FolderUnderTest.picture("mine"))
            _ = try snapshots.walk(at: .now + seconds)
            snapshots.release(holdingUntilMidnight: true)
            folder.write(
                "pictures/2024/2024-05/2024-05-01 mine.jpg", FolderUnderTest.picture("mine"))
            let reads = try DirectoryReads(of: folder.path("pictures"))

            let outcome = try await favorites.reconcile(Scan(of: folder.tree.root))
            #expect(reads.happened() == (seconds < 0))
            #expect(outcome.added.count == (seconds < 0 ? 1 : 0))

            // As for a reload, an hour, and a sync with news.
            for _ in 1...3 {
                snapshots.recordChange(of: crab)
                _ = try await favorites.reconcile(Scan(of: folder.tree.root))
            }
            #expect(!reads.happened())
            _ = try snapshots.walk()
            let walked = try await favorites.reconcile(Scan(of: folder.tree.root))
            #expect(walked.favorites[FolderUnderTest.moon]?.kind == .copy)
        }
    }

    /// Each scan compares it with the mirror again, as for a reload, an hour, and a sync with news.
    @Test func aForeignFileCausesNoWalkOnceOneIsNewerThanIt() async throws {
        try await withFolder { folder in
            let snapshots = folder.store.snapshots
            let favorites = Favorites(of: folder.store, now: folder.now, uptime: folder.uptime)
            folder.write("favorites/mine.jpg", FolderUnderTest.picture("mine"))
            _ = try snapshots.walk(at: .now - 60)
            snapshots.release(holdingUntilMidnight: true)
            let reads = try DirectoryReads(of: folder.path("pictures"))
            var scans = 0
            repeat {
                snapshots.recordChange(of: crab)
                let outcome = try await favorites.reconcile(Scan(of: folder.tree.root))
                #expect(outcome.unrecognized.count == 1)
                scans += 1
                // More than one only within the tick of the clock in which the file was made.
            } while reads.happened() && scans < 10_000
            #expect((2..<10_000).contains(scans))
        }
    }

    /// The inode of a picture that is gone since the held walk.
    @Test func aFileWithTheInodeOfALostPictureIsNotItsHardLink() async throws {
        try await withFolder { folder in
            let snapshots = folder.store.snapshots
            let favorites = Favorites(of: folder.store, now: folder.now, uptime: folder.uptime)
            let path = "pictures/2024/2024-05/2024-05-01 mine.jpg"
            folder.write(path, FolderUnderTest.picture("mine"))
            _ = try snapshots.walk(at: .now + 60)
            snapshots.release(holdingUntilMidnight: true)
            folder.move(path, to: "favorites/other.jpg")
            folder.write("favorites/other.jpg", FolderUnderTest.picture("another one"))

            let outcome = try await favorites.reconcile(Scan(of: folder.tree.root))

            #expect(outcome.favorites.isEmpty && outcome.unrecognized.count == 1)
        }
    }

    @Test func anUnrecognizedItemIsReadOnce() async throws {
        try await withFolder { folder in
            folder.write("favorites/x", FolderUnderTest.picture("crab!"))
            folder.setTime(of: "favorites/x", to: 0)
            try await folder.reconcile()
            // The picture is mirrored: only a check of all favorites recognizes that.
            let path = "pictures/2024/2024-05/2024-05-01 x.jpg"
            folder.mirror(FolderUnderTest.moon, "x", path, FolderUnderTest.picture("crab!"))

            #expect(try await folder.reconcile(checksAll: false).added.isEmpty)
            #expect(try await folder.reconcile(checksAll: true).added.count == 1)
        }
    }

    /// Its link was recorded before; while the record cannot be read, it is not recorded again.
    @Test func aFavoriteWhoseRecordCannotBeReadLeavesNoFileUnread() async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.write("favorites/copy.jpg", FolderUnderTest.picture("comet!"))
            var stored = StoredFavorites()
            stored.unreadable[crab] = SystemError("read", path: "\(crab).json", code: EIO)

            let survey = Survey(
                of: Scan(of: folder.tree.root), in: folder.store, comparedWith: stored,
                lastDirectory: nil, now: folder.now(), uptime: folder.uptime(),
                readingTime: .limited { false })

            #expect(!survey.classified.isUnfinished)
            #expect(survey.reconciliation.added.map(\.day) == [FolderUnderTest.comet])
        }
    }

    /// Otherwise a scan would follow the other without a pause, and no file would ever be recognized.
    @Test func aFileIsReadThoughTheTargetOfALinkTookAllTheTime() async throws {
        try await withFolder { folder in
            folder.write("favorites/notes.txt", Array("no day".utf8))
            folder.link("link", to: "notes.txt")
            folder.write("favorites/copy.jpg", FolderUnderTest.picture("comet!"))

            let survey = Survey(
                of: Scan(of: folder.tree.root), in: folder.store, comparedWith: StoredFavorites(),
                lastDirectory: nil, now: folder.now(), uptime: folder.uptime(),
                readingTime: .limited { true })

            #expect(survey.classified.unreadFiles.count == 1)
        }
    }

    @Test func aFileThatIsNoPictureIsNotSoughtInTheMirror() async throws {
        try await withFolder { folder in
            folder.write("favorites/manual.pdf", Array("%PDF-1.7".utf8))
            let reads = try DirectoryReads(of: folder.path("pictures"))

            let list = try folder.commands.list()

            #expect(list.unrecognized.count == 1 && !reads.happened())
        }
    }

    /// As on a disk that rots.
    @Test func aCopyIsRecognizedThoughEarlierRevisionsCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.makeDirectory(Layout.previous)
                folder.write("\(Layout.previous)/2024-05-01 Moon.jpg", [1])
                folder.write("favorites/copy.jpg", FolderUnderTest.picture("crab"))
                let previous = folder.path(Layout.previous)
                precondition(unsafe chmod(previous, 0) == 0)

                let outcome = try await folder.reconcile()

                #expect(outcome.favorites.keys.sorted() == [FolderUnderTest.crab])
                precondition(unsafe chmod(previous, 0o755) == 0)
            }
        }
    }

    /// Such as a log, on a slow disk.
    @Test func aFileThatIsWrittenAllTheTimeKeepsNoDiskBusy() async throws {
        try await withFolder { folder in
            folder.write("favorites/log", [1])
            let changed = try #require(folder.status("favorites/log")).changeTime
            let favorites = Favorites(
                of: folder.store,
                now: { Date(timeIntervalSince1970: changed / .seconds(1)) },
                uptime: folder.uptime)
            var scan = Scan(of: folder.tree.root)

            #expect(try await favorites.reconcile(scan).timeUntilNextScan == .seconds(3))
            scan.duration = .seconds(2)

            #expect(try await favorites.reconcile(scan).timeUntilNextScan == .seconds(40))
        }
    }

    /// Each command would make a walk.
    @Test func aPictureThatIsRecordedByItsNameIsNotSoughtInTheMirrorAgain() async throws {
        try await withFolder { folder in
            folder.write("favorites/2026-11-20 mine.jpg", FolderUnderTest.picture("mine"))
            try await folder.reconcile()
            #expect(folder.record(crab)?.kind == .named)
            let reads = try DirectoryReads(of: folder.path("pictures"))

            #expect(try folder.commands.list().entries.count == 1)
            #expect(!reads.happened())
        }
    }
}
