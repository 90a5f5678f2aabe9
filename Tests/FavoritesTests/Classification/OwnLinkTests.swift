import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// The mirror rewrites only links whose text leads into it, whatever the process can see of the rest of the machine.
@Suite(.timeLimit(.minutes(10))) struct OwnLinkTests {
    let crab = FolderUnderTest.crab

    /// A link to a photo that this process cannot see: behind a mount of the service, in another container, on a
    /// disk that is unplugged.
    @Test(arguments: [
        "/nonexistent/ada/Photos/2026/2026-11/2026-11-20_123456.jpg",
        "/nonexistent/apod/\(FolderUnderTest.crabPath)",
        "/nonexistent/2026-11-20 The Crab Nebula.jpg",
        "../../nonexistent/2026/2026-11/2026-11-20_123456.jpg",
        "../../pictures/2026/2026-11/2026-11-20_123456.jpg",
    ])
    func aLinkOutOfTheMirrorIsNeverChanged(target: String) async throws {
        try await withFolder { folder in
            folder.link("holiday.jpg", to: target)

            let outcome = try await folder.reconcile()

            #expect(folder.target("holiday.jpg") == target)
            #expect(outcome.favorites[crab]?.names.map(\.text) == ["holiday.jpg"])
        }
    }

    // MARK: What names a day

    @Test func aFutureDayIsNotRequested() async throws {
        try await withFolder { folder in
            let today = Int(folder.now().timeIntervalSince1970) / 86_400
            for number in [today + 1, today + 2, today + 300] {
                let day = try #require(Day(number: number))
                folder.link(
                    "\(day)", to: "../pictures/\("\(day)".prefix(4))/\("\(day)".prefix(7))/\(day)")
            }

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.count == 3)
            #expect(outcome.wanted.map(\.number) == [today + 1])
        }
    }
}
