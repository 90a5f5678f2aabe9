import APOD
import FoundationEssentials
import Platform
import Testing

@testable import Favorites

@Suite struct FavoriteChangesTests {
    typealias Trust = FavoriteChanges.Trust
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let uptime = Uptime(boot: "this", milliseconds: 1_000_000_000_000)

    @Test func aNewReferenceAddsAFavorite() {
        let changes = change(recorded: [], references: [reference(1, "a.jpg", .desktop)])

        #expect(changes.added.map(\.day) == [day(1)])
        #expect(changes.changed == changes.added)
        #expect(changes.favorites[day(1)]?.kind == .desktop)
        #expect(changes.favorites[day(1)]?.added == now)
    }

    @Test func aPartialScanAddsFavorites() {
        let changes = change(recorded: [], references: [reference(1)], trust: .partial)

        #expect(changes.added.map(\.day) == [day(1)])
    }

    @Test func anUnchangedFavoriteIsNotWritten() {
        let changes = change(recorded: [favorite(1)], references: [reference(1)])

        #expect(changes.favorites == [day(1): favorite(1)])
        #expect(changes.changed.isEmpty)
    }

    @Test func aNewNameReplacesTheOldOne() {
        let changes = change(recorded: [favorite(1)], references: [reference(1, "other.jpg")])

        #expect(changes.changed.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.names == [name("other.jpg")])
    }

    @Test(arguments: [Trust.partial, .otherDirectory])
    func aNameIsKeptIfTheScanProvesNoAbsence(trust: Trust) {
        let changes = change(
            recorded: [favorite(1)], references: [reference(1, "other.jpg")], trust: trust)

        #expect(changes.favorites[day(1)]?.names == [name("1.jpg"), name("other.jpg")])
    }

    @Test(arguments: [Trust.partial, .otherDirectory])
    func aPartlyScannedFavoriteIsNotWritten(trust: Trust) {
        let recorded = favorite(1, named: ["a", "b"])
        let changes = change(recorded: [recorded], references: [reference(1, "b")], trust: trust)

        #expect(changes.favorites == [day(1): recorded])
        #expect(changes.changed.isEmpty)
    }

    @Test func aNameOfAnotherFavoriteIsRemoved() {
        let changes = change(
            recorded: [favorite(1)],
            references: [reference(1, "other.jpg"), reference(2, "1.jpg")],
            trust: .otherDirectory)

        #expect(changes.favorites[day(1)]?.names == [name("other.jpg")])
    }

    @Test func twoNamesOfADayAreOneFavorite() {
        let changes = change(recorded: [], references: [reference(1, "b"), reference(1, "a")])

        #expect(changes.added.map(\.names) == [[name("a"), name("b")]])
    }

    @Test(arguments: [["a", "b"], ["b", "a"]])
    func equallyManyNamesAreCompared(found: [String]) {
        let recorded = favorite(1, named: ["a", "b"])
        let same = change(recorded: [recorded], references: found.map { reference(1, $0) })
        let others = change(
            recorded: [recorded], references: [reference(1, found[0]), reference(1, "c")])

        #expect(same.changed.isEmpty && same.favorites == [day(1): recorded])
        #expect(others.changed.map(\.names) == [[name(found[0]), name("c")]])
    }

    @Test(arguments: ["a", "b"]) func oneOfTwoNamesIsRemoved(_ left: String) {
        let changes = change(
            recorded: [favorite(1, named: ["a", "b"])], references: [reference(1, left)])

        #expect(changes.changed.map(\.names) == [[name(left)]])
    }

    @Test func theKindOfAReferenceIsUpdated() {
        let changes = change(recorded: [favorite(1)], references: [reference(1, nil, .copy)])

        #expect(changes.changed.map(\.kind) == [.copy])
    }

    @Test func aMissingFavoriteIsKeptForTheGracePeriod() {
        let changes = change(recorded: [favorite(1)], references: [])

        #expect(changes.missing.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.missingSince == now)
        #expect(changes.changed == changes.missing)
        #expect(changes.nextScan == 60)
    }

    @Test(arguments: [(59.0, false), (60.0, true), (3600.0, true)])
    func aFavoriteIsRemovedAfterTheGracePeriod(seconds: Double, isGone: Bool) {
        let changes = change(recorded: [favorite(1, missingFor: seconds)], references: [])

        #expect(changes.removed.map(\.day) == (isGone ? [day(1)] : []))
        #expect((changes.favorites[day(1)] == nil) == isGone)
    }

    @Test(arguments: ["another boot", nil]) func aRebootRestartsTheGracePeriod(boot: String?) {
        var missing = favorite(1, missingFor: 7200)
        missing.missingSinceUptime = boot.map { Uptime(boot: $0, milliseconds: 0) }
        let changes = change(recorded: [missing], references: [])

        #expect(changes.removed.isEmpty)
        #expect(changes.favorites[day(1)]?.missingSinceUptime == uptime)
        #expect(changes.favorites[day(1)]?.missingSince == missing.missingSince)
        #expect(changes.nextScan == 60)
    }

    @Test func aFavoriteAtAnUnreadablePathIsUnchanged() {
        let recorded = [
            favorite(1, named: ["a/b/x", "c"]), favorite(2, named: ["a"]),
            favorite(3, named: ["ab/x"]),
        ]
        let changes = change(recorded: recorded, references: [], unreadablePaths: ["a"])

        #expect(changes.missing.map(\.day) == [day(3)])
        #expect(changes.changed == changes.missing)
        #expect(changes.favorites.count == 3)
    }

    /// The folder “a” may have been renamed to “closed”.
    @Test func aFavoriteInAFolderThatIsGoneIsUnchangedIfAnotherCannotBeRead() {
        let recorded = [
            favorite(1, named: ["a/x"], missingFor: 60), favorite(2, named: ["b/x"]), favorite(3),
        ]
        let changes = change(
            recorded: recorded, references: [], unreadablePaths: ["closed"],
            readFolders: ["", "b"])

        #expect(changes.removed.isEmpty)
        #expect(changes.favorites[day(1)] == recorded[0])
        #expect(changes.missing.map(\.day) == [day(2), day(3)])
        #expect(
            change(recorded: Array(recorded.prefix(2)), references: []).removed.map(\.day)
                == [day(1)])
    }

    @Test func favoritesAtUnreadablePathsDoNotCountAsMissing() {
        let recorded =
            (1...20).map { favorite($0, named: ["closed/\($0)"]) }
            + (21...25).map { favorite($0, missingFor: 60) }

        #expect(
            change(recorded: recorded, references: [], unreadablePaths: ["closed"]).removed.count
                == 5)
    }

    @Test func aNameAtAnUnreadablePathIsKept() {
        let changes = change(
            recorded: [favorite(1, named: ["a/x", "y"])], references: [reference(1, "z")],
            unreadablePaths: ["a"])

        #expect(changes.favorites[day(1)]?.names == [name("a/x"), name("z")])
    }

    @Test func atMost100NamesAreRecorded() {
        let many = (100...400).map { reference(1, "\($0)") }
        let changes = change(recorded: [], references: many)
        let again = change(recorded: changes.added, references: many)

        #expect(changes.added.first?.names.count == 100)
        #expect(again.changed.isEmpty)
    }

    @Test func aReturnedFavoriteIsNotMissing() {
        let changes = change(recorded: [favorite(1, missingFor: 30)], references: [reference(1)])

        #expect(changes.favorites[day(1)]?.missingSince == nil)
        #expect(changes.changed.map(\.day) == [day(1)])
    }

    @Test func aPartialScanRemovesNothing() {
        let changes = change(
            recorded: [favorite(1, missingFor: 3600), favorite(2)], references: [], trust: .partial)

        #expect(changes.removed.isEmpty)
        #expect(changes.held.isEmpty)
        #expect(changes.changed.isEmpty)
        #expect(changes.favorites.count == 2)
        // Else the daemon would scan without a pause.
        #expect(changes.nextScan == nil)
    }

    @Test func favoritesMissingInAnotherDirectoryAreHeld() {
        let changes = change(
            recorded: [favorite(1, missingFor: 3600)], references: [], trust: .otherDirectory)

        #expect(changes.removed.isEmpty)
        #expect(changes.held.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.isHeld == true)
    }

    @Test(arguments: [
        (1, 1, false), (1, 2, false), (2, 2, false), (2, 3, false), (3, 3, true), (3, 5, true),
        (3, 6, false), (5, 7, true), (5, 10, false), (6, 12, true), (6, 30, false), (7, 30, true),
        (20, 100, false), (21, 100, true),
    ])
    func tooManyRemovalsAtOnceAreHeld(gone: Int, of all: Int, isHeld: Bool) {
        let recorded = (1...all).map { favorite($0, missingFor: $0 <= gone ? 3600 : nil) }
        let found = (1...all).dropFirst(gone).map { reference($0) }

        let changes = change(recorded: recorded, references: found)

        #expect(changes.held.count == (isHeld ? gone : 0))
        #expect(changes.removed.count == (isHeld ? 0 : gone))
    }

    @Test func removalsWithinTheGracePeriodCountTogether() {
        let recorded = (1...4).map { favorite($0, missingFor: 50) } + (5...8).map { favorite($0) }

        let changes = change(recorded: recorded, references: [])

        #expect(changes.held.count == 8)
    }

    @Test func heldFavoritesDoNotRaiseTheLimit() {
        let held = (1...100).map { favorite($0, isHeld: true) }
        let recorded = held + (101...106).map { favorite($0, missingFor: 3600) }

        #expect(change(recorded: recorded, references: []).removed.isEmpty)
    }

    @Test func aHeldFavoriteIsNeverRemoved() {
        let held = favorite(1, missingFor: 1e8, isHeld: true)

        let changes = change(recorded: [held], references: [])

        #expect(changes.favorites[day(1)] == held)
        #expect(changes.changed.isEmpty)
        #expect(changes.nextScan == nil)
    }

    @Test func aReturnedFavoriteIsNotHeld() {
        let changes = change(recorded: [favorite(1, isHeld: true)], references: [reference(1)])

        #expect(changes.favorites[day(1)]?.isHeld == false)
        #expect(changes.changed.count == 1)
    }

    @Test(arguments: [Trust.sameDirectory, .otherDirectory, .partial])
    func aForgottenFavoriteIsRemovedAtOnce(trust: Trust) {
        let recorded = [favorite(1), favorite(2, isHeld: true)]

        let changes = change(
            recorded: recorded, references: [], trust: trust, forgetRequests: [day(1), day(2)])

        #expect(changes.removed.map(\.day) == [day(1), day(2)])
        #expect(changes.favorites.isEmpty && changes.changed.isEmpty)
    }

    @Test func aForgottenFavoriteWithALinkIsKept() {
        let changes = change(
            recorded: [favorite(1)], references: [reference(1)], forgetRequests: [day(1)])

        #expect(changes.removed.isEmpty)
        #expect(changes.favorites == [day(1): favorite(1)])
    }

    @Test func aLinkToLatestIsRecorded() {
        let latest = LatestLinkRecord(name: name("x"), modified: 17)
        let found = [FavoriteReference(name: name("x"), day: day(1), latest: latest)]

        let changes = change(recorded: [], references: found)

        #expect(
            changes.favorites[day(1)]?.latest == [LatestLinkRecord(name: name("x"), modified: 17)])
    }

    @Test func aNewLinkToLatestIsRecordedAgain() {
        let latest = LatestLinkRecord(name: name("1.jpg"), modified: 18)
        let found = [FavoriteReference(name: name("1.jpg"), day: day(1), latest: latest)]

        let changes = change(recorded: [favorite(1)], references: found)

        #expect(
            changes.changed.first?.latest == [LatestLinkRecord(name: name("1.jpg"), modified: 18)])
    }

    @Test func theKindIsKeptWhileAReferenceHasIt() {
        let copyAndLink = [reference(1, "a", .copy), reference(1, "1.jpg")]
        let copyOnly = [reference(1, "a", .copy)]

        #expect(
            change(recorded: [favorite(1)], references: copyAndLink).favorites[day(1)]?.kind
                == .link)
        #expect(
            change(recorded: [favorite(1)], references: copyOnly).favorites[day(1)]?.kind == .copy)
    }

    @Test func theNextScanIsForTheFavoriteMissingLongest() {
        let recorded = [favorite(1, missingFor: 10), favorite(2, missingFor: 40)]

        #expect(change(recorded: recorded, references: []).nextScan == 20)
    }

    @Test func aHeldFavoriteKeepsTheTimeItWasFirstMissing() {
        let changes = change(
            recorded: [favorite(1, missingFor: 30)], references: [], trust: .otherDirectory)

        #expect(changes.held.first?.missingSince == now.addingTimeInterval(-30))
    }

    // MARK: Fixtures

    private func change(
        recorded: [Favorite], references: [FavoriteReference], trust: Trust = .sameDirectory,
        unreadablePaths: [String] = [], readFolders: [String]? = nil,
        forgetRequests: Set<Day> = []
    ) -> FavoriteChanges {
        FavoriteChanges(
            recorded: Dictionary(uniqueKeysWithValues: recorded.map { ($0.day, $0) }),
            references: references,
            trust: trust, unreadablePaths: Set(unreadablePaths.map { Array($0.utf8) }),
            readFolders: readFolders.map { folders in Set(folders.map { Array($0.utf8) }) },
            forgetRequests: forgetRequests, now: now,
            uptime: uptime)
    }

    private func day(_ number: Int) -> Day { Day.first.advanced(by: 100 + number) }

    private func name(_ text: String) -> FavoriteName {
        guard let name = FavoriteName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    private func favorite(
        _ number: Int, named names: [String], missingFor seconds: Double? = nil
    ) -> Favorite {
        var named = favorite(number, missingFor: seconds)
        named.names = names.map(name)
        return named
    }

    private func favorite(
        _ number: Int, missingFor seconds: Double? = nil, isHeld: Bool = false
    ) -> Favorite {
        var favorite = Favorite(
            day: day(number), added: now.addingTimeInterval(-1e6), names: [name("\(number).jpg")],
            kind: .link, isHeld: isHeld)
        favorite.missingSince = seconds.map { now.addingTimeInterval(-$0) }
        favorite.missingSinceUptime = seconds.map {
            Uptime(boot: uptime.boot, milliseconds: uptime.milliseconds - Int($0 * 1000))
        }
        return favorite
    }

    private func reference(
        _ number: Int, _ text: String? = nil, _ kind: ReferenceKind = .link
    ) -> FavoriteReference {
        FavoriteReference(
            name: name(text ?? "\(number).jpg"), day: day(number), kind: kind)
    }
}
