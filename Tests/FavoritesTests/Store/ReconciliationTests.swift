import APOD
import FoundationEssentials
import Testing

@testable import Favorites
@testable import Platform

@Suite struct ReconciliationTests {
    typealias Scope = ScanProof.Scope
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let uptime = Uptime(boot: "this", milliseconds: 1_000_000_000_000)

    /// The records, what a scan finds, and what becomes of the favorites.
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var recorded: [Favorite] = []
        var found: [FavoriteReference] = []
        var scopes: [Scope] = [.sameDirectory]
        var unreadable: [String] = []
        /// The links whose target could not be read.
        var unknownLinks: [String] = []
        /// The links that lead to what could not be read.
        var unreadLinks: [String] = []
        /// The folders that were read, besides `favorites/` itself.
        var read: [String] = []
        /// The names of items that refer to no day.
        var others: [String] = []
        var requests: [Int] = []
        /// The number, the state and the names of each favorite; `same` is not written.
        let expected: [String]
    }

    /// What the model of favorites meets seldom or never; the others are tested by ``PropertyTests``.
    static let rows = [
        Row(
            testDescription: "another kind", recorded: [favorite(1)],
            found: [reference(1, nil, .copy)], expected: ["1 written 1.jpg"]),
        Row(
            testDescription: "a name whose absence is not proven", recorded: [favorite(1)],
            found: [reference(1, "b")], scopes: [.partial, .otherDirectory],
            expected: ["1 written 1.jpg b"]),
        Row(
            testDescription: "one of two names was scanned",
            recorded: [favorite(1, named: ["a", "b"])], found: [reference(1, "b")],
            scopes: [.partial, .otherDirectory], expected: ["1 same a b"]),
        Row(
            testDescription: "another favorite has the name", recorded: [favorite(1)],
            found: [reference(1, "b"), reference(2, "1.jpg")], scopes: [.otherDirectory],
            expected: ["1 written b", "2 new 1.jpg"]),
        Row(
            testDescription: "a name at an unreadable path",
            recorded: [favorite(1, named: ["a/x", "y"])], found: [reference(1, "z")],
            unreadable: ["a"], expected: ["1 written a/x z"]),
        Row(
            testDescription: "the grace period",
            recorded: [
                favorite(1), favorite(2, missingFor: 59), favorite(3, missingFor: 60),
                favorite(4, missingFor: 3600), favorite(5), favorite(6), favorite(7),
                favorite(8),
            ], found: (5...8).map { reference($0) },
            expected: [
                "1 missing 1.jpg", "2 missing 2.jpg", "3 removed 3.jpg", "4 removed 4.jpg",
                "5 same 5.jpg", "6 same 6.jpg", "7 same 7.jpg", "8 same 8.jpg",
            ]),
        Row(
            testDescription: "unreadable paths",
            recorded: [
                favorite(1, named: ["a/b/x", "c"], missingFor: 60),
                favorite(2, named: ["a"], missingFor: 60), favorite(3, named: ["ab/x"]),
            ], unreadable: ["a"], read: ["ab"],
            expected: ["1 written a/b/x c", "2 written a", "3 missing ab/x"]),
        Row(
            testDescription: "an unreadable folder of a copied mirror",
            recorded: [favorite(1, named: ["a/x"]), favorite(2), favorite(3, named: ["b/x"])],
            scopes: [.otherDirectory], unreadable: ["a"], read: ["b"],
            expected: ["1 same a/x", "2 held 2.jpg", "3 held b/x"]),
        Row(
            testDescription: "a file that was not read", recorded: [favorite(1)],
            scopes: [.sameDirectory, .otherDirectory], unreadLinks: ["1.jpg"],
            expected: ["1 same 1.jpg"]),
        Row(
            testDescription: "something else in a copied mirror", recorded: [favorite(1)],
            scopes: [.otherDirectory], others: ["1.jpg"], expected: ["1 held 1.jpg"]),
        // The folder “a” may have been renamed to “closed”.
        Row(
            testDescription: "a folder that is gone while another cannot be read",
            recorded: [
                favorite(1, named: ["a/x"], missingFor: 60), favorite(2, named: ["b/x"]),
                favorite(3),
            ], unreadable: ["closed"], read: ["b"],
            expected: ["1 written a/x", "2 missing b/x", "3 missing 3.jpg"]),
        // The missing link may have been renamed to this one.
        Row(
            testDescription: "a new link that cannot be read",
            recorded: [favorite(1, missingFor: 60), favorite(2)], found: [reference(2)],
            unknownLinks: ["new"], expected: ["1 written 1.jpg", "2 same 2.jpg"]),
        Row(
            testDescription: "a new link to what cannot be read",
            recorded: [favorite(1, missingFor: 60), favorite(2)], found: [reference(2)],
            unreadLinks: ["new"], expected: ["1 written 1.jpg", "2 same 2.jpg"]),
        Row(
            testDescription: "a recorded link that cannot be read",
            recorded: [favorite(1, missingFor: 60), favorite(2)], unknownLinks: ["2.jpg"],
            expected: ["1 removed 1.jpg", "2 same 2.jpg"]),
        Row(
            testDescription: "something else in place of an item, or of a folder",
            recorded: [
                favorite(1, named: ["a/b/x"], missingFor: 60),
                favorite(2, named: ["y"], missingFor: 60), favorite(3, named: ["z/x"]),
            ], others: ["a/b", "y", "x"],
            expected: ["1 written a/b/x", "2 written y", "3 missing z/x"]),
        Row(
            testDescription: "a scan that proves nothing",
            recorded: [favorite(1, missingFor: 3600), favorite(2)], scopes: [.partial],
            expected: ["1 same 1.jpg", "2 same 2.jpg"]),
        Row(
            testDescription: "forget requests",
            recorded: [favorite(1), favorite(2, isHeld: true), favorite(3)],
            found: [reference(3)], scopes: [.sameDirectory, .otherDirectory, .partial],
            requests: [1, 2, 3],
            expected: ["1 removed 1.jpg", "2 removed 2.jpg", "3 same 3.jpg"]),
    ]

    @Test(arguments: rows) func favoritesFollowFromRecordsAndScan(row: Row) {
        for scope in row.scopes {
            let result = Self.change(
                recorded: row.recorded, references: row.found, scope: scope,
                unreadablePaths: row.unreadable, unknownLinks: row.unknownLinks,
                unreadLinks: row.unreadLinks,
                readFolders: row.read, others: row.others,
                forgetRequests: Set(row.requests.map(Self.day)))

            let all = Array(result.favorites.values) + result.removed
            let states = all.sorted { $0.day < $1.day }.map { favorite in
                let number = Self.day(0).distance(to: favorite.day)
                let state = Self.state(of: favorite.day, in: result)
                return "\(number) \(state) \(favorite.names.map(\.text).joined(separator: " "))"
            }
            #expect(states == row.expected, "\(scope)")
            // Otherwise the daemon would scan without a pause.
            #expect((result.secondsUntilNextRemoval == nil) == result.missing.isEmpty)
        }
    }

    private static func state(of day: Day, in result: Reconciliation) -> String {
        let states = [
            ("removed", result.removed), ("new", result.added), ("held", result.held),
            ("missing", result.missing), ("written", result.changed),
        ]
        return states.first { $0.1.contains { $0.day == day } }?.0 ?? "same"
    }

    @Test(arguments: [
        (1, 1, false), (1, 2, false), (2, 2, false), (2, 3, false), (3, 3, true), (3, 5, true),
        (3, 6, false), (5, 7, true), (5, 10, false), (6, 12, true), (6, 30, false), (7, 30, true),
        (20, 100, false), (21, 100, true),
    ])
    func tooManyRemovalsAtOnceAreHeld(gone: Int, of all: Int, isHeld: Bool) {
        let recorded = (1...all).map { Self.favorite($0, missingFor: $0 <= gone ? 3600 : nil) }
        let found = (1...all).dropFirst(gone).map { Self.reference($0) }

        let result = Self.change(recorded: recorded, references: found)

        #expect(result.held.count == (isHeld ? gone : 0))
        #expect(result.removed.count == (isHeld ? 0 : gone))
    }

    /// The first scan comes when some are deleted, the second one within the grace period.
    @Test(arguments: [
        (3, 5, 5, true), (6, 8, 8, true), (9, 12, 40, true), (9, 10, 40, true), (4, 8, 8, true),
        (3, 8, 20, true), (3, 8, 40, false),
    ])
    func oneDeletionThatTwoScansSeeIsHeldOrRemovedAsAWhole(
        seenFirst: Int, gone: Int, of all: Int, isHeld: Bool
    ) {
        var result = Self.change(
            recorded: (1...all).map { Self.favorite($0) },
            references: (1...all).dropFirst(seenFirst).map { Self.reference($0) })
        for seconds in [1.0, 61] {
            result = Self.change(
                recorded: Array(result.favorites.values),
                references: (1...all).dropFirst(gone).map { Self.reference($0) },
                after: seconds)
        }

        #expect(result.favorites.values.count(where: \.isHeld) == (isHeld ? gone : 0))
        #expect(result.removed.count == (isHeld ? 0 : gone))
    }

    @Test func aFavoriteThatIsDeletedAMinuteAfterOthersWereHeldIsRemoved() {
        let held = (1...5).map { Self.favorite($0, missingFor: 60, isHeld: true) }
        let recorded = held + [Self.favorite(6, missingFor: 60), Self.favorite(7)]

        let result = Self.change(recorded: recorded, references: [Self.reference(7)])

        #expect(result.removed.map(\.day) == [Self.day(6)] && result.held.isEmpty)
    }

    @Test func heldFavoritesDoNotRaiseTheLimit() {
        let held = (1...100).map { Self.favorite($0, isHeld: true) }
        let recorded = held + (101...106).map { Self.favorite($0, missingFor: 3600) }

        #expect(Self.change(recorded: recorded, references: []).removed.isEmpty)
    }

    @Test func favoritesAtUnreadablePathsDoNotCountAsMissing() {
        let recorded =
            (1...20).map { Self.favorite($0, named: ["closed/\($0)"]) }
            + (21...25).map { Self.favorite($0, missingFor: 60) }

        let result = Self.change(
            recorded: recorded, references: [], unreadablePaths: ["closed"])

        #expect(result.removed.count == 5)
    }

    @Test func theKindIsKeptWhileAReferenceHasIt() {
        let copy = Self.reference(1, "a", .copy)
        let rows: [([FavoriteReference], ReferenceKind)] = [
            ([copy, Self.reference(1)], .link), ([copy], .copy),
        ]
        for (found, kind) in rows {
            let result = Self.change(recorded: [Self.favorite(1)], references: found)
            #expect(result.favorites[Self.day(1)]?.kind == kind)
        }
    }

    @Test func theNextScanIsForTheFavoriteMissingLongest() {
        let recorded = [Self.favorite(1, missingFor: 10), Self.favorite(2, missingFor: 40)]

        #expect(Self.change(recorded: recorded, references: []).secondsUntilNextRemoval == 20)
    }

    // MARK: Fixtures

    private static func change(
        recorded: [Favorite], references: [FavoriteReference], scope: Scope = .sameDirectory,
        unreadablePaths: [String] = [], unknownLinks: [String] = [],
        unreadLinks: [String] = [], readFolders: [String] = [],
        others: [String] = [],
        forgetRequests: Set<Day> = [], after seconds: Double = 0
    ) -> Reconciliation {
        let place = DirectoryIdentity(inode: 1, origin: "made 1.0")
        let isDenied = SystemError("open", path: "favorites", code: 13)
        let isUnknown = SystemError("readlink", path: "favorites", code: 5)
        let scan = Scan(
            place: scope == .partial ? .unreadable : .directory(place),
            items: (references + (others + unreadLinks).map { reference(0, $0) }).map(\.item),
            failures: unreadablePaths.map { .init(path: Array($0.utf8), error: isDenied) }
                + unknownLinks.map { .init(path: Array($0.utf8), error: isUnknown) },
            folders: Set(readFolders.map { Array($0.utf8) }), forgetRequests: forgetRequests)
        let stored = StoredFavorites(
            favorites: Dictionary(uniqueKeysWithValues: recorded.map { ($0.day, $0) }))
        return Reconciliation(
            of: stored, with: scan, references: references,
            unreadFiles: unreadLinks.map { Array($0.utf8) },
            lastDirectory: scope == .sameDirectory ? ScannedDirectory(identity: place) : nil,
            now: now.addingTimeInterval(seconds),
            uptime: uptime(after: seconds))
    }

    private static func uptime(after seconds: Double) -> Uptime {
        Uptime(boot: uptime.boot, milliseconds: uptime.milliseconds + Int(seconds * 1000))
    }

    private static func day(_ number: Int) -> Day { Day.first.advanced(by: 100 + number) }

    private static func name(_ text: String) -> FavoriteName {
        guard let name = FavoriteName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    private static func favorite(
        _ number: Int, named names: [String], missingFor seconds: Double? = nil
    ) -> Favorite {
        var named = favorite(number, missingFor: seconds)
        named.names = names.map(name)
        return named
    }

    private static func favorite(
        _ number: Int, missingFor seconds: Double? = nil, isHeld: Bool = false
    ) -> Favorite {
        let since = seconds.map { seconds in
            Favorite.Disappearance(
                date: now.addingTimeInterval(-seconds), uptime: uptime(after: -seconds))
        }
        return Favorite(
            day: day(number), added: now.addingTimeInterval(-1e6), names: [name("\(number).jpg")],
            kind: .link,
            presence: isHeld
                ? .held(since: since) : since.map { .disappeared(since: $0) } ?? .present)
    }

    private static func reference(
        _ number: Int, _ text: String? = nil, _ kind: ReferenceKind = .link
    ) -> FavoriteReference {
        FavoriteReference(
            item: ScannedItem(
                name: name(text ?? "\(number).jpg"),
                identity: FileIdentity(device: 1, inode: 1), details: .link(target: [])),
            day: day(number), kind: kind)
    }
}
