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

    @Test func aCopyOfTheConvertedNewestPictureIsItsDay() async throws {
        try await withFolder { folder in
            let picture = FolderUnderTest.picture("apod-mirror: converted")
            folder.write("latest-picture.jpg", picture)
            folder.setTime(of: "latest-picture.jpg", to: FolderUnderTest.crab.noon)
            folder.write("favorites/mine.jpg", picture)

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.names.map(\.text) == ["mine.jpg"])
        }
    }
}
