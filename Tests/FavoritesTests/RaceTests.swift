import FavoritesModel
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Changes by a user between a scan and its reconciliation.
@Suite(.timeLimit(.minutes(10))) struct RaceTests {
    @Test(arguments: ["another link", "a file", "nothing"])
    func onlyTheScannedLinkIsReplaced(_ thing: String) async throws {
        try await withFolder { folder in
            folder.link("x", to: "/mnt/nas/1")
            let item = try #require(Scan(of: folder.tree.root).items.first)
            folder.remove("favorites/x")
            if thing == "another link" { folder.link("x", to: "/mnt/nas/2") }
            if thing == "a file" { folder.write("favorites/x", [1]) }
            let before = changeTime(of: "favorites/x", in: folder)

            let links = FavoriteLinks(tree: folder.tree)
            #expect(try !links.replace(item, withLinkTo: FolderUnderTest.crabPath))
            #expect(changeTime(of: "favorites/x", in: folder) == before)
            #expect(try folder.tree.root.folder(Layout.incoming)?.names().isEmpty != false)
        }
    }

    /// The link can be back by the time at which all files of the scan are read.
    @Test func theMinuteDoesNotEndWhileTheFilesOfAScanAreRead() async throws {
        try await withFolder { folder in
            let (uptime, reading) = (Monitor(1_000_000), Monitor(0))
            // Time passes after the start, with each reading of the date.
            let favorites = Favorites(
                of: folder.store,
                now: { [now = folder.now] in
                    uptime.withLock { $0 += reading.withLock { $0 } }
                    return now()
                },
                uptime: { Uptime(boot: "first", milliseconds: uptime.withLock { $0 }) })
            folder.link("x")
            _ = try await favorites.reconcile(Scan(of: folder.tree.root))
            folder.remove("favorites/x")
            _ = try await favorites.reconcile(Scan(of: folder.tree.root))
            uptime.withLock { $0 += 50_000 }
            let scan = Scan(of: folder.tree.root)
            reading.withLock { $0 = 20_000 }
            folder.link("x")

            let outcome = try await favorites.reconcile(scan)

            #expect(outcome.removed.isEmpty)
            #expect(outcome.favorites[FolderUnderTest.crab]?.names.map(\.text) == ["x"])
        }
    }

    /// A copy takes minutes on a slow disk; a person, or a sync, may put another picture there meanwhile.
    @Test func aPictureThatAppearsWhileItIsCopiedBackIsNotReplaced() async throws {
        // No disk in memory shares blocks: each copy asks for its space.
        try await withFolder(inMemory: true) { folder in
            folder.link("x")
            try await folder.reconcile()
            folder.remove(FolderUnderTest.crabPath)
            let (disk, newer) = (RealDisk(root: folder.root, pictures: [:]), [1, 2, 3] as [UInt8])
            let pins = FavoritePins(tree: folder.tree) { (_: Int) throws(SystemError) in
                disk.write(newer, to: FolderUnderTest.crabPath)
            }
            let record = try #require(try folder.store.record(of: FolderUnderTest.crab))
            let copy = "favorites/2026-11-20 mine.jpg"
            folder.write(copy, FolderUnderTest.picture("crab"))

            #expect(try !pins.restore(record.files[0], of: record, from: Array(copy.utf8)))

            #expect(folder.read(FolderUnderTest.crabPath) == newer)
        }
    }

    /// The copies in `favorites/` are read between the scan and the removal, which takes minutes on a slow disk.
    @Test(arguments: ["another link", "a file"])
    func removeDeletesNothingThatTookThePlaceOfTheScannedLink(_ thing: String) async throws {
        try await withFavorite { folder in
            let disk = RealDisk(root: folder.root, pictures: [:])
            // The time is asked for after the scan.
            let commands = FavoriteCommands(
                of: Store(reading: folder.tree),
                now: { [now = folder.now] in
                    removeTree(disk.path("favorites/x"))
                    if thing == "a file" {
                        disk.write([1], to: "favorites/x")
                    } else {
                        disk.symlink("../\(FolderUnderTest.cometPath)", at: "favorites/x")
                    }
                    return now()
                }, uptime: folder.uptime)

            #expect(throws: FavoriteError.self) { try commands.remove(["x"])[0].get() }

            #expect(folder.status("favorites/x") != nil)
            #expect(FavoriteStore.forgetRequests(in: folder.tree.root).isEmpty)
        }
    }

    /// The change time in nanoseconds; see stat(2).
    private func changeTime(of path: String, in folder: FolderUnderTest) -> Int? {
        var status = stat()
        guard unsafe lstat(folder.path(path), &status) == 0 else { return nil }
        return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
    }
}
