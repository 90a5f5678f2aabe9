import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// `favorites/` is created again.
@Suite(.timeLimit(.minutes(10))) struct RecreationTests {
    /// The new folder has no name before it has all links.
    @Test func anInterruptedRecreationIsFinished() async throws {
        try await withFolder { folder in
            precondition(unsafe chmod(folder.path("favorites"), 0o750) == 0)
            folder.link("x")
            folder.makeDirectory("favorites/a")
            folder.link("a/y", to: "../../\(FolderUnderTest.cometPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            let unfinished = "\(FavoriteStore.folder)/\(FavoriteStore.newFolderName)"
            folder.makeDirectory("\(unfinished)/a")
            try folder.tree.root.symlink("\(unfinished)/x", to: "../\(FolderUnderTest.crabPath)")
            folder.restart()

            for _ in 1...2 {
                let outcome = try await folder.reconcile()
                #expect(outcome.favorites.values.filter(\.isMissing).isEmpty)
                #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
                #expect(folder.target("a/y") == "../../\(FolderUnderTest.cometPath)")
                #expect(try folder.tree.root.folder("favorites")?.permissions().mode == 0o750)
                #expect(folder.status(unfinished) == nil)
            }
        }
    }

    @Test func aCommandInALogLineQuotesThePath() {
        let permissions = DirectoryPermissions(
            group: 0, mode: 0o2775, accessList: [], defaultList: [])
        let event = ReconcileEvent.folderLacksPermissions(path: "/srv/my mirror", permissions)

        #expect("\(event)".contains("chmod 2775 '/srv/my mirror'"))
    }
}
