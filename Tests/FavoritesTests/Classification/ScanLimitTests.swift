import APOD
import Mirror
import Platform
import Testing

@testable import Favorites

/// Reconciliation after a scan that reached a limit.
@Suite(.timeLimit(.minutes(10))) struct ScanLimitTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    @Test(arguments: [ScanRules(items: 3), ScanRules(folders: 2), ScanRules(bytes: 40)])
    func noFavoriteIsRemovedAboveALimit(_ rules: ScanRules) async throws {
        try await withFolder { folder in
            folder.link("crab")
            folder.link("comet", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            for number in 0..<10 { folder.write("favorites/\(number)/holiday picture.jpg", [1]) }
            folder.remove("favorites/crab")

            try await reconcile(folder, rules)
            folder.advance(seconds: 7200)
            let outcome = try await reconcile(folder, rules)

            #expect(folder.record(crab) != nil && folder.record(comet) != nil)
            #expect(folder.status(".apod-mirror/favorites/2026-11-20.jpg") != nil)
            #expect(outcome.removed.isEmpty && !outcome.events.isEmpty)

            for number in 0..<10 { folder.remove("favorites/\(number)") }
            try await folder.reconcile()
            folder.advance(seconds: 60)
            try await folder.reconcile()
            #expect(folder.record(crab) == nil && folder.record(comet) != nil)
        }
    }

    @discardableResult
    private func reconcile(
        _ folder: FolderUnderTest, _ rules: ScanRules
    ) async throws -> ReconcileOutcome {
        let scan = try Scan(folder.tree.root.listing(of: Layout.favorites, by: rules))
        return try await folder.favorites.reconcile(scan, checksAll: true)
    }
}
