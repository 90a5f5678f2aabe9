import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Favorites of a mirror of which a part cannot be read for a while.
@Suite(.timeLimit(.minutes(10))) struct UnreadableMirrorTests {
    @Test(arguments: [
        "metadata/2026/2026-11", "metadata/2026", "pictures/2026/2026-11", "pictures/2026",
        "metadata/2026/2026-11/2026-11-20.json",
    ])
    func aPartThatCannotBeReadIsNoMissingPicture(path: String) async {
        await #expect(processExitsWith: .success) { [path] in try await hide(path) }
    }
}

private func hide(_ path: String) async throws {
    try await withFolderOfNobody { folder in
        folder.link("x")
        try await folder.reconcile()
        let target = folder.target("x")
        precondition(unsafe chmod(folder.path(path), 0) == 0)

        let outcome = try await folder.reconcile()

        #expect(outcome.wanted.isEmpty && outcome.failures.isEmpty && outcome.nextScan == nil)
        #expect(outcome.events.contains { $0.description.contains(path) })
        #expect(folder.target("x") == target)
        precondition(unsafe chmod(folder.path(path), 0o755) == 0)
        folder.remove(FolderUnderTest.crabPath)
        folder.remove(".apod-mirror/favorites/2026-11-20.jpg")
        folder.restart()
        #expect(try await folder.reconcile().wanted == [FolderUnderTest.crab])
    }
}
