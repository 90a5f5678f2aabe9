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
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    /// One name is below another one: its link cannot be created, as on a file system without links.
    @Test func aFavoriteWithoutALinkInTheRecreatedDirectoryIsHeld() async throws {
        try await withFolder { folder in
            folder.link("x", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            let name = try #require(FavoriteName("x/y"))
            try FavoriteStore(tree: folder.tree).write([
                Favorite(day: crab, added: folder.now(), names: [name], kind: .link)
            ])
            folder.restart()
            folder.remove("favorites")

            let outcome = try await folder.reconcile()

            #expect(folder.target("x") == "../\(FolderUnderTest.cometPath)")
            #expect(outcome.favorites.values.filter(\.isHeld).map(\.day) == [crab])
            #expect(!outcome.events.contains(.folderRecreated))
            for _ in 1...2 {
                folder.advance(seconds: 61)
                folder.restart()
                try await folder.reconcile()
            }
            #expect(folder.record(crab)?.isHeld == true)
            #expect(folder.record(comet)?.isMissing == false)
        }
    }

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
