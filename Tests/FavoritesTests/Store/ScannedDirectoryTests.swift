import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// The record of the directory that was scanned last.
@Suite(.timeLimit(.minutes(10))) struct ScannedDirectoryTests {
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
