import APOD
import Mirror
import Platform
import Testing

@testable import Favorites

/// Reconciliation after a scan that reached a limit.
@Suite(.timeLimit(.minutes(10))) struct ScanLimitTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    struct Limit: CustomTestStringConvertible {
        let testDescription: String
        let rules: ScanRules
    }

    static let limits = [
        Limit(testDescription: "items", rules: ScanRules(items: 3)),
        Limit(testDescription: "folders", rules: ScanRules(folders: 2)),
        Limit(testDescription: "bytes", rules: ScanRules(bytes: 40)),
    ]

    @Test(arguments: limits)
    func noFavoriteIsRemovedAboveALimit(_ limit: Limit) async throws {
        try await withFolder { folder in
            folder.link("crab")
            folder.link("comet", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            for number in 0..<10 { folder.write("favorites/\(number)/holiday picture.jpg", [1]) }
            folder.remove("favorites/crab")

            try await reconcile(folder, limit.rules)
            folder.advance(seconds: 7200)
            let outcome = try await reconcile(folder, limit.rules)

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

    private func scan(_ folder: FolderUnderTest, _ rules: ScanRules) throws -> Scan {
        try Scan(folder.tree.root.listing(of: Layout.favorites, by: rules))
    }

    @discardableResult
    private func reconcile(
        _ folder: FolderUnderTest, _ rules: ScanRules
    ) async throws -> ReconcileOutcome {
        try await folder.favorites.reconcile(scan(folder, rules), checksAll: true)
    }
}
