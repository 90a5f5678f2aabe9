import FoundationEssentials
import JSON
import Platform
import Testing

@testable import Favorites

/// Files with numbers that cannot be true, which the program calculates with at each start.
@Suite(.timeLimit(.minutes(10))) struct StoredNumberTests {
    private static let removed = ".apod-mirror/favorites/removed"
    private static let record = "\(removed)/2026-11-20.json"

    @Test(arguments: [
        #"{"seconds": 9223372036854775807, "counted": 0}"#,
        #"{"seconds": 100, "counted": -9223372036854775808}"#,
    ])
    func anAgeThatCannotBeTrueDeletesNoRemovedFavorite(age: String) async throws {
        try await withFolder { folder in
            try await folder.linkAndRemoveOne()
            folder.write("\(Self.removed)/age.json", Array(age.utf8))

            try await folder.reconcile()

            #expect(folder.status(Self.record) != nil)
        }
    }

    @Test func aRemovalAtATimeThatCannotBeTrueIsNotDeleted() async throws {
        try await withFolder { folder in
            try await folder.linkAndRemoveOne()
            var members = try JSON(parsing: try #require(folder.read(Self.record))).members
            members.removeAll { $0.key == "removed" }
            members.append(.init(key: "removed", value: .integer(.min)))
            folder.write(Self.record, JSON.object(members).document)

            try await folder.reconcile()

            #expect(folder.status(Self.record) != nil)
        }
    }

    @Test func anUptimeThatCannotBeTrueIsIgnored() throws {
        let day = FolderUnderTest.crab
        var favorite = Favorite(
            day: day, added: Date(timeIntervalSince1970: 1_800_000_000), names: [], kind: .link)
        favorite.missingSinceUptime = Uptime(boot: "this", milliseconds: .min)

        let read = try #require(Favorite(try JSON(parsing: favorite.json.document)))

        #expect(read.missingSinceUptime == nil)
    }
}
