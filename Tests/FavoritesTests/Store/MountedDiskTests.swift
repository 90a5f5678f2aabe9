import FoundationEssentials
import Mirror
import Platform
import Testing

@testable import Favorites

/// Disks that are mounted in folders of `favorites/` are not read, and cover what is below.
@Suite(.timeLimit(.minutes(10))) struct MountedDiskTests {
    /// Scans as if something were mounted at `usb`.
    private func reconcile(_ folder: FolderUnderTest) async throws -> ReconcileOutcome {
        let scan = Scan(of: folder.tree.root)
        return try await folder.favorites.reconcile(
            Scan(
                place: scan.place, items: scan.items.filter { $0.name.folders.isEmpty },
                permissions: scan.permissions, mounts: [Array("usb".utf8)]))
    }

    @Test func aCoveredFavoriteStaysUntilItsLinkIsFoundAgain() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: "../../\(FolderUnderTest.crabPath)")
            try await folder.reconcile()

            for _ in 1...3 {
                let outcome = try await reconcile(folder)
                #expect(outcome.unrecognized.map(\.name.text) == ["usb"])
                folder.advance(seconds: 61)
            }
            #expect(folder.record(FolderUnderTest.crab)?.isHeld == true)

            try await folder.reconcile()
            #expect(folder.record(FolderUnderTest.crab)?.isMissing == false)
            folder.remove("favorites/usb/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            try await folder.reconcile()
            #expect(folder.record(FolderUnderTest.crab) == nil)
        }
    }

    /// Older versions recorded links on the disk.
    @Test func aFavoriteOnADiskThatIsTakenAwayStays() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: "../../\(FolderUnderTest.crabPath)")
            try await folder.reconcile()
            _ = try await reconcile(folder)
            folder.remove("favorites/usb/x")

            for _ in 1...3 {
                try await folder.reconcile()
                folder.advance(seconds: 61)
            }

            #expect(folder.record(FolderUnderTest.crab)?.isHeld == true)
        }
    }
}
