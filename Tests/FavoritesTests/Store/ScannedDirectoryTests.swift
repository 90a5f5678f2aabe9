import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// The record of the directory that was scanned last.
@Suite(.timeLimit(.minutes(10))) struct ScannedDirectoryTests {
    @Test func noFavoriteIsHeldForLackOfDescriptors() async {
        await #expect(processExitsWith: .success) {
            try await withFolder { folder in
                folder.link("x", to: "../\(FolderUnderTest.crabPath)")
                try await folder.reconcile()
                folder.remove("favorites/x")
                let scan = Scan(of: folder.tree.root)
                let taken = takeDescriptors(leaving: 0)

                let refused = try? await folder.favorites.reconcile(scan)

                for copy in taken { close(copy) }
                #expect(refused?.failures.isEmpty != true)
                let outcome = try await folder.reconcile()
                #expect(outcome.failures.isEmpty)
                #expect(outcome.favorites[FolderUnderTest.crab]?.isHeld == false)
            }
        }
    }

    /// Where that record cannot be read, it is not known whether another directory was scanned.
    @Test func aDirectoryInPlaceOfItsFileIsSetAside() async throws {
        try await withFolder { folder in
            folder.write("\(FavoriteStore.folder)/folder.json/mine", [1])
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")

            let outcome = try await folder.reconcile()

            #expect(outcome.failures.isEmpty)
            #expect(try FavoriteStore(tree: folder.tree).lastScannedDirectory() != nil)
            #expect(folder.read("\(FavoriteStore.folder)/folder.json.damaged/mine") == [1])
        }
    }
}
