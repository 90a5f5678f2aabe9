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
    let crabPath = FolderUnderTest.crabPath

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

    /// Links that the mirror made, in folders at another depth.
    @Test(arguments: [("x.jpg", "a/x.jpg"), ("a/x.jpg", "x.jpg"), ("a/b/x.jpg", "x.jpg")])
    func aLinkOfTheMirrorThatIsMovedIsRepaired(old: String, new: String) async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/a/b")
            let depth = old.split(separator: "/").count
            folder.link(old, to: String(repeating: "../", count: depth) + crabPath)
            try await folder.reconcile()
            folder.move("favorites/\(old)", to: "favorites/\(new)")

            try await folder.reconcile()

            let up = String(repeating: "../", count: new.split(separator: "/").count)
            #expect(folder.target(new) == up + crabPath)
        }
    }

    // MARK: What names a day

    @Test func aLinkToACollectionNamedLikeADayIsNoFavorite() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/2026-11-20")
            folder.write("favorites/2026-11-20/notes.txt", [1])
            folder.link("trip", to: "2026-11-20")

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.isEmpty)
        }
    }

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
