import APOD
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Files that were classified before are not read again, and unknown files do not delay links.
@Suite(.timeLimit(.minutes(10))) struct KnownFileTests {
    let crab = FolderUnderTest.crab

    /// They are gone when they would be read: nothing opens them.
    @Test func recordedCopiesAreNotReadAgain() async throws {
        try await withFolder { folder in
            folder.write("favorites/copy.jpg", FolderUnderTest.picture("crab"))
            folder.write("favorites/2026-11-19.jpg", FolderUnderTest.picture("edited"))
            try await folder.reconcile()
            folder.restart()
            let scan = Scan(of: folder.tree.root)
            folder.remove("favorites/copy.jpg")
            folder.remove("favorites/2026-11-19.jpg")

            let outcome = try await folder.favorites.reconcile(scan)

            #expect(outcome.favorites.values.allSatisfy { !$0.isMissing })
            #expect(outcome.unrecognizedCount == 0)
        }
    }

    /// Unknown files of the size of a picture, which begin like it.
    @Test func aNewLinkIsRecordedBeforeUnknownFilesAreRead() async throws {
        try await withFolder { folder in
            let picture = FolderUnderTest.picture("moon") + [UInt8](repeating: 0, count: 100_000)
            try folder.mirror(
                FolderUnderTest.moon, "Moon", "pictures/2024/2024-05/2024-05-01 Moon.jpg", picture)
            for number in 1...4 {
                folder.write("favorites/unknown \(number)", picture.dropLast() + [UInt8(number)])
            }
            folder.write("favorites/z", picture)
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            let scan = Scan(of: folder.tree.root)

            let first = try await folder.favorites.reconcile(scan, readLimit: 1 << 10)
            #expect(first.favorites.keys.sorted() == [crab])
            #expect(first.nextScan == 0)
            #expect(first.unrecognizedCount == 0)

            var scans = 1
            var outcome = first
            while outcome.nextScan == 0, scans < 20 {
                outcome = try await folder.favorites.reconcile(scan, readLimit: 1 << 10)
                scans += 1
            }
            #expect(outcome.favorites.keys.sorted() == [FolderUnderTest.moon, crab])
            #expect(outcome.unrecognizedCount == 4)
            #expect(scans > 3)
        }
    }

    /// A picture of the same size that begins in another way is not read: it would be hashed, and fail.
    @Test func firstBytesAreComparedBeforeAFileIsHashed() async throws {
        try await withFolder { folder in
            let index = try PictureIndex(of: folder.tree)
            let bytes = FolderUnderTest.picture("CRAB")
            folder.write("favorites/x", bytes)
            let item = try #require(Scan(of: folder.tree.root).items.first)

            let found = try index.classification(of: item, start: bytes) {
                () throws(SystemError) in
                throw SystemError("read", path: "x", code: EIO)
            }

            #expect(found == nil)
        }
    }

    @Test func aHardLinkIsNotRead() async throws {
        try await withFolder { folder in
            let path = "pictures/2024/2024-05/2024-05-01 Moon.jpg"
            try folder.mirror(
                FolderUnderTest.moon, "Moon", path,
                FolderUnderTest.picture("moon") + [UInt8](repeating: 0, count: 100_000))
            try folder.tree.root.link(path, to: folder.tree.root, as: "favorites/moon.jpg")

            let outcome = try await folder.favorites.reconcile(
                Scan(of: folder.tree.root), readLimit: 0)

            #expect(outcome.favorites[FolderUnderTest.moon]?.kind == .hardLink)
            #expect(outcome.nextScan == nil)
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
            #expect(outcome.nextScan == Favorites.settlingDelay)
        }
    }
}
