import Favorites
import Mirror
import Platform
import TestSupport
import Testing

/// `favorites/` is created again.
@Suite(.timeLimit(.minutes(10))) struct RecreationTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    @Test func theFavoritesOfARemovedFolderAreHeldUntilTheyAreRestored() async throws {
        try await withFavorite { folder in
            folder.makeDirectory("favorites/a")
            folder.link("a/y", to: "../../\(FolderUnderTest.cometPath)")
            try await folder.reconcile()
            folder.remove("favorites")

            let outcome = try await folder.reconcile()

            #expect(outcome.events.contains(.held(count: 2)))
            for _ in 1...2 {
                folder.advance(seconds: 61)
                folder.restart()
                try await folder.reconcile()
                #expect(folder.record(crab)?.isHeld == true && folder.record(comet)?.isHeld == true)
            }
            _ = try folder.commands.restore()
            try await folder.reconcile()
            #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
            #expect(folder.target("a/y") == "../../\(FolderUnderTest.cometPath)")
            #expect(folder.record(crab)?.isMissing == false)
            #expect(folder.record(comet)?.isMissing == false)
        }
    }
}
