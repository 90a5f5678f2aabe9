import APOD
import FoundationEssentials
import Platform
import Testing

@testable import Favorites

@Suite struct FavoriteChangesTests {
    typealias Trust = FavoriteChanges.Trust
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let uptime = Uptime(boot: "this", milliseconds: 1_000_000_000_000)

    @Test func somethingNewIsAFavoriteAtOnce() {
        let changes = change(recorded: [], found: [sighting(1, "a.jpg", .desktop)])

        #expect(changes.added.map(\.day) == [day(1)])
        #expect(changes.changed == changes.added)
        #expect(changes.favorites[day(1)]?.via == .desktop)
        #expect(changes.favorites[day(1)]?.added == now)
    }

    @Test func somethingNewIsBelievedInAPartialLookToo() {
        let changes = change(recorded: [], found: [sighting(1)], trust: .partial)

        #expect(changes.added.map(\.day) == [day(1)])
    }

    /// Else a name would keep the text of the whole look that it is a part of.
    @Test(arguments: [false, true]) func theNamesThatAreKeptAreCopies(isKnown: Bool) throws {
        let part = try #require(FavoriteName(Array("a long text".utf8)[7...]))
        let seen = FavoriteReference(part, day(1), latestMade: 3)
        let changes = change(recorded: isKnown ? [favorite(1)] : [], found: [seen])

        let favorite = try #require(changes.changed.first)
        #expect(favorite.names == [part])
        #expect(favorite.names.map(\.bytes.startIndex) == [0])
        #expect(favorite.latest.map(\.name.bytes.startIndex) == [0])
    }

    @Test func whatIsAsBeforeIsNotWritten() {
        let changes = change(recorded: [favorite(1)], found: [sighting(1)])

        #expect(changes.kept.map(\.day) == [day(1)])
        #expect(changes.changed.isEmpty)
    }

    @Test func aNewNameReplacesTheOldOne() {
        let changes = change(recorded: [favorite(1)], found: [sighting(1, "other.jpg")])

        #expect(changes.renamed.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.names == [name("other.jpg")])
    }

    @Test(arguments: [Trust.partial, .anotherFolder])
    func aNameIsNotForgottenWhereTheLookProvesNothing(trust: Trust) {
        let changes = change(
            recorded: [favorite(1)], found: [sighting(1, "other.jpg")], trust: trust)

        #expect(changes.favorites[day(1)]?.names == [name("1.jpg"), name("other.jpg")])
    }

    @Test(arguments: [Trust.partial, .anotherFolder])
    func whatIsPartlySeenIsNotWritten(trust: Trust) {
        let recorded = favorite(1, named: ["a", "b"])
        let changes = change(recorded: [recorded], found: [sighting(1, "b")], trust: trust)

        #expect(changes.kept == [recorded])
        #expect(changes.changed.isEmpty)
    }

    @Test func aNameThatIsAnothersNowIsForgotten() {
        let changes = change(
            recorded: [favorite(1)], found: [sighting(1, "other.jpg"), sighting(2, "1.jpg")],
            trust: .anotherFolder)

        #expect(changes.favorites[day(1)]?.names == [name("other.jpg")])
    }

    @Test func twoNamesAreOneFavorite() {
        let changes = change(recorded: [], found: [sighting(1, "b"), sighting(1, "a")])

        #expect(changes.added.map(\.names) == [[name("a"), name("b")]])
    }

    @Test(arguments: [["a", "b"], ["b", "a"]])
    func asManyNamesAsBeforeAreTheSameOnesOrNot(found: [String]) {
        let recorded = favorite(1, named: ["a", "b"])
        let same = change(recorded: [recorded], found: found.map { sighting(1, $0) })
        let others = change(
            recorded: [recorded], found: [sighting(1, found[0]), sighting(1, "c")])

        #expect(same.changed.isEmpty && same.kept == [recorded])
        #expect(others.renamed.map(\.names) == [[name(found[0]), name("c")]])
    }

    @Test(arguments: ["a", "b"]) func ofTwoNamesOneIsGone(_ left: String) {
        let changes = change(
            recorded: [favorite(1, named: ["a", "b"])], found: [sighting(1, left)])

        #expect(changes.renamed.map(\.names) == [[name(left)]])
    }

    @Test func underTheSameNameIsSomethingElseNow() {
        let changes = change(recorded: [favorite(1)], found: [sighting(1, nil, .copy)])

        #expect(changes.kept.map(\.via) == [.copy])
        #expect(changes.changed == changes.kept)
    }

    @Test func whatIsMissedIsAFavoriteForAMinute() {
        let changes = change(recorded: [favorite(1)], found: [])

        #expect(changes.missed.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.vanishedAt == now)
        #expect(changes.changed == changes.missed)
        #expect(changes.nextLook == 60)
    }

    @Test(arguments: [(59.0, false), (60.0, true), (3600.0, true)])
    func itsAbsenceIsBelievedAfterAMinute(seconds: Double, isGone: Bool) {
        let changes = change(recorded: [favorite(1, missedFor: seconds)], found: [])

        #expect(changes.vanished.map(\.day) == (isGone ? [day(1)] : []))
        #expect((changes.favorites[day(1)] == nil) == isGone)
    }

    /// Whatever the wall clock says meanwhile.
    @Test(arguments: ["another boot", nil]) func anotherBootStartsTheMinuteAnew(boot: String?) {
        var missed = favorite(1, missedFor: 7200)
        missed.missedSince = boot.map { Uptime(boot: $0, milliseconds: 0) }
        let changes = change(recorded: [missed], found: [])

        #expect(changes.vanished.isEmpty)
        #expect(changes.favorites[day(1)]?.missedSince == uptime)
        #expect(changes.favorites[day(1)]?.vanishedAt == missed.vanishedAt)
        #expect(changes.nextLook == 60)
    }

    @Test func whatMayLieWhereNothingWasSeenIsLeftAsItIs() {
        let recorded = [
            favorite(1, named: ["a/b/x", "c"]), favorite(2, named: ["a"]),
            favorite(3, named: ["ab/x"]),
        ]
        let changes = change(recorded: recorded, found: [], unseen: ["a"])

        #expect(changes.missed.map(\.day) == [day(3)])
        #expect(changes.changed == changes.missed)
        #expect(changes.favorites.count == 3)
    }

    @Test func whatCannotBeSeenDoesNotCountAsGoneWithOthers() {
        let recorded =
            (1...20).map { favorite($0, named: ["closed/\($0)"]) }
            + (21...25).map { favorite($0, missedFor: 60) }

        #expect(change(recorded: recorded, found: [], unseen: ["closed"]).vanished.count == 5)
    }

    @Test func aNameWhereNothingWasSeenIsKept() {
        let changes = change(
            recorded: [favorite(1, named: ["a/x", "y"])], found: [sighting(1, "z")],
            unseen: ["a"])

        #expect(changes.favorites[day(1)]?.names == [name("a/x"), name("z")])
    }

    @Test func ofVeryManyNamesTheFirstAreRecorded() {
        let many = (100...400).map { sighting(1, "\($0)") }
        let changes = change(recorded: [], found: many)
        let again = change(recorded: changes.added, found: many)

        #expect(changes.added.first?.names.count == 100)
        #expect(again.changed.isEmpty)
    }

    @Test func whatIsSeenAgainIsNotMissedAnyMore() {
        let changes = change(recorded: [favorite(1, missedFor: 30)], found: [sighting(1)])

        #expect(changes.returned.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.vanishedAt == nil)
        #expect(changes.changed == changes.returned)
    }

    @Test func aPartialLookProvesNoAbsence() {
        let changes = change(
            recorded: [favorite(1, missedFor: 3600), favorite(2)], found: [], trust: .partial)

        #expect(changes.vanished.isEmpty)
        #expect(changes.held.isEmpty)
        #expect(changes.changed.isEmpty)
        #expect(changes.favorites.count == 2)
    }

    @Test func whatAnotherFolderLacksIsHeld() {
        let changes = change(
            recorded: [favorite(1, missedFor: 3600)], found: [], trust: .anotherFolder)

        #expect(changes.vanished.isEmpty)
        #expect(changes.held.map(\.day) == [day(1)])
        #expect(changes.favorites[day(1)]?.isHeld == true)
    }

    @Test(arguments: [
        (5, 5, false), (6, 6, true), (6, 30, false), (7, 30, true), (20, 100, false),
        (21, 100, true), (1, 1, false),
    ])
    func tooManyAtOnceAreHeld(gone: Int, of all: Int, isHeld: Bool) {
        let recorded = (1...all).map { favorite($0, missedFor: $0 <= gone ? 3600 : nil) }
        let found = (1...all).dropFirst(gone).map { sighting($0) }

        let changes = change(recorded: recorded, found: found)

        #expect(changes.held.count == (isHeld ? gone : 0))
        #expect(changes.vanished.count == (isHeld ? 0 : gone))
    }

    @Test func thoseThatVanishInTheSameMinuteCountTogether() {
        let recorded = (1...4).map { favorite($0, missedFor: 50) } + (5...8).map { favorite($0) }

        let changes = change(recorded: recorded, found: [])

        #expect(changes.held.count == 8)
    }

    @Test func thoseThatAreHeldDoNotMakeRoomForOthers() {
        let held = (1...100).map { favorite($0, isHeld: true) }
        let recorded = held + (101...106).map { favorite($0, missedFor: 3600) }

        #expect(change(recorded: recorded, found: []).vanished.isEmpty)
    }

    @Test func whatIsHeldStaysHowLongEverItIsGone() {
        let held = favorite(1, missedFor: 1e8, isHeld: true)

        let changes = change(recorded: [held], found: [])

        #expect(changes.favorites[day(1)] == held)
        #expect(changes.changed.isEmpty)
        #expect(changes.nextLook == nil)
    }

    @Test func whatIsHeldAndSeenAgainIsHeldNoLonger() {
        let changes = change(recorded: [favorite(1, isHeld: true)], found: [sighting(1)])

        #expect(changes.favorites[day(1)]?.isHeld == false)
        #expect(changes.returned.count == 1)
    }

    @Test(arguments: [Trust.whole, .anotherFolder, .partial])
    func whatSomebodyLetsGoOfIsGoneAtOnce(trust: Trust) {
        let recorded = [favorite(1), favorite(2, isHeld: true)]

        let changes = change(
            recorded: recorded, found: [], trust: trust, letGo: [day(1), day(2)])

        #expect(changes.vanished.map(\.day) == [day(1), day(2)])
        #expect(changes.favorites.isEmpty && changes.changed.isEmpty)
    }

    @Test func whatSomebodyLetsGoOfAndLinksAgainStays() {
        let changes = change(recorded: [favorite(1)], found: [sighting(1)], letGo: [day(1)])

        #expect(changes.vanished.isEmpty)
        #expect(changes.kept.count == 1)
    }

    @Test func aLinkThroughTheLatestIsMarked() {
        let found = [FavoriteReference(name("x"), day(1), latestMade: 17)]

        let changes = change(recorded: [], found: found)

        #expect(
            changes.favorites[day(1)]?.latest == [LatestLinkRecord(name: name("x"), modified: 17)])
    }

    @Test func aLinkThroughTheLatestThatIsMadeAnewIsMarkedAnew() {
        let found = [FavoriteReference(name("1.jpg"), day(1), latestMade: 18)]

        let changes = change(recorded: [favorite(1)], found: found)

        #expect(
            changes.changed.first?.latest == [LatestLinkRecord(name: name("1.jpg"), modified: 18)])
    }

    @Test func whatItWasMadeByStaysAsLongAsThatIsThere() {
        let copyAndLink = [sighting(1, "a", .copy), sighting(1, "1.jpg")]
        let copyOnly = [sighting(1, "a", .copy)]

        #expect(change(recorded: [favorite(1)], found: copyAndLink).favorites[day(1)]?.via == .link)
        #expect(change(recorded: [favorite(1)], found: copyOnly).favorites[day(1)]?.via == .copy)
    }

    @Test func theNextLookIsForTheOneThatIsMissedLongest() {
        let recorded = [favorite(1, missedFor: 10), favorite(2, missedFor: 40)]

        #expect(change(recorded: recorded, found: []).nextLook == 20)
    }

    @Test func whatIsHeldIsGoneSinceItWasMissedFirst() {
        let changes = change(
            recorded: [favorite(1, missedFor: 30)], found: [], trust: .anotherFolder)

        #expect(changes.held.first?.vanishedAt == now.addingTimeInterval(-30))
    }

    // MARK: Fixtures

    private func change(
        recorded: [Favorite], found: [FavoriteReference], trust: Trust = .whole,
        unseen: [String] = [],
        letGo: Set<Day> = []
    ) -> FavoriteChanges {
        FavoriteChanges(
            recorded: Dictionary(uniqueKeysWithValues: recorded.map { ($0.day, $0) }), found: found,
            trust: trust, unseen: Set(unseen.map { Array($0.utf8)[...] }), letGo: letGo, now: now,
            uptime: uptime)
    }

    private func day(_ number: Int) -> Day { Day.first.advanced(by: 100 + number) }

    private func name(_ text: String) -> FavoriteName {
        guard let name = FavoriteName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    private func favorite(_ number: Int, named names: [String]) -> Favorite {
        Favorite(
            day(number), added: now.addingTimeInterval(-1e6), names: names.map(name), via: .link)
    }

    private func favorite(
        _ number: Int, missedFor seconds: Double? = nil, isHeld: Bool = false
    ) -> Favorite {
        var favorite = Favorite(
            day(number), added: now.addingTimeInterval(-1e6), names: [name("\(number).jpg")],
            via: .link, isHeld: isHeld)
        favorite.vanishedAt = seconds.map { now.addingTimeInterval(-$0) }
        favorite.missedSince = seconds.map {
            Uptime(boot: uptime.boot, milliseconds: uptime.milliseconds - Int($0 * 1000))
        }
        return favorite
    }

    private func sighting(
        _ number: Int, _ text: String? = nil, _ via: ReferenceKind = .link
    ) -> FavoriteReference {
        FavoriteReference(name(text ?? "\(number).jpg"), day(number), via)
    }
}
