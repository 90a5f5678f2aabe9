package import APOD
package import FoundationEssentials
internal import Mirror
package import Platform

/// Decides which favorites are new, missing, held or removed, from their records and a scan of `favorites/`.
///
/// An item is a file or a link in `favorites/`. Only the day to which it refers counts: a renamed item is still the same
/// favorite. A new item makes its day a favorite at once. A recorded favorite without an item is absent:
/// - It stays as it is if its item may be where the scan could not read. Otherwise, its item is gone.
/// - It is held if many items are gone at once, if another directory than before was scanned, or if its item may have moved into
///   a folder that cannot be read: the favorite stays until its item returns, or a command restores or removes it.
/// - In all other cases, it is missing for a minute, and then removed.
///
/// A favorite whose record was lost is held, too, because nothing says whether a person removed its items.
///
/// This type reads and writes nothing. ``Favorites`` carries out the decisions, in the order of the properties below. Each step
/// can be repeated.
package struct Reconciliation: Sendable {
    /// The seconds for which a favorite must be missing before it is removed.
    package static let removalGracePeriod = 60.0

    /// The most items of one favorite that its record names; nobody has more links to one picture.
    private static let maximumNames = 100

    /// All favorites after the reconciliation.
    package private(set) var favorites: [Day: Favorite]
    /// The favorites whose record must be written, by day, including ``added`` and ``held``.
    package private(set) var changed: [Favorite] = []
    package private(set) var added: [Favorite] = []
    /// The favorites that are held from this scan on, not those that were held before.
    package private(set) var held: [Favorite] = []
    /// The favorites that are certainly gone, within their grace period.
    package private(set) var missing: [Favorite] = []
    /// The favorites whose record and pin are to be moved to the trash.
    package private(set) var removed: [Favorite] = []
    /// Whether a favorite without an item stays as it is, because its item may be where the scan could not read.
    private(set) var hasUndecided = false

    private let proof: ScanProof
    private let now: Date
    private let uptime: Uptime

    /// Compares the favorites that are `stored` with `scan`.
    ///
    /// A day in ``Scan/forgetRequests`` without an item is removed at once, in any scan, because a command asked for it.
    ///
    /// - `references`: The items of `scan` that refer to days.
    /// - `unreadFiles`: The paths of the files of `scan` that were not read, so that their days are not known.
    /// - `lastDirectory`: The directory that was `favorites/` in the last complete scan; `nil` if that is not known.
    /// - `now`: The date that a new favorite gets.
    /// - `uptime`: The time since the start of the machine, which measures the grace period: nobody can set it.
    package init(
        of stored: StoredFavorites, with scan: Scan, references: [FavoriteReference],
        unreadFiles: [[UInt8]] = [], lastDirectory: ScannedDirectory?, now: Date, uptime: Uptime
    ) {
        favorites = stored.favorites
        proof = ScanProof(
            of: scan, references: references, unreadFiles: unreadFiles, recorded: stored.favorites,
            lastDirectory: lastDirectory)
        self.now = now
        self.uptime = uptime
        holdFavoritesWithoutRecord(in: stored)
        let recorded = favorites
        let referencesByDay = Dictionary(grouping: references, by: \.day)
        for (day, references) in referencesByDay { update(day, from: references) }
        let absent = recorded.values.filter { favorite in
            referencesByDay[favorite.day] == nil && stored.unreadable[favorite.day] == nil
        }.sorted { $0.day < $1.day }
        for favorite in absent where scan.forgetRequests.contains(favorite.day) { remove(favorite) }
        removeOrHold(
            absent.filter { !scan.forgetRequests.contains($0.day) },
            outOf: recorded.values.count { !$0.isHeld })
        changed = favorites.values.filter { stored.favorites[$0.day] != $0 }
            .sorted { $0.day < $1.day }
        added = changed.filter { recorded[$0.day] == nil }
        held = changed.filter { $0.isHeld && stored.favorites[$0.day]?.isHeld != true }
    }

    /// Adds the days that were favorites, but of which no record can be used: it is damaged, unreadable, or missing beside a pin.
    ///
    /// A pin is a second copy of the picture, which only a favorite has.
    private mutating func holdFavoritesWithoutRecord(in stored: StoredFavorites) {
        for day in stored.days.union(stored.pins.keys) where stored.favorites[day] == nil {
            favorites[day] = Favorite(day: day, added: now, names: [], kind: .link)
            // mutation test: lost-record-is-held (see Tests/Mutants)
            favorites[day]?.presence = .held(since: nil)
        }
    }

    // MARK: The grace period

    /// The seconds until the first missing favorite is removed; `nil` if none is missing.
    var secondsUntilNextRemoval: Double? { missing.compactMap(secondsUntilRemoval).min() }

    /// The seconds until `favorite` is removed.
    ///
    /// `nil` if it is present or held, or if the machine was restarted since the favorite disappeared.
    func secondsUntilRemoval(of favorite: Favorite) -> Double? {
        guard case .disappeared(let since) = favorite.presence else { return nil }
        return restOfGracePeriod(from: since)
    }

    /// The seconds that are left of the grace period that began at `start`; `nil` if the machine was restarted since.
    private func restOfGracePeriod(from start: Favorite.Disappearance) -> Double? {
        guard let elapsed = start.uptime.flatMap(uptime.seconds(since:)) else { return nil }
        return max(0, Self.removalGracePeriod - elapsed)
    }

    // MARK: Present

    /// Adds or updates the favorite of `day`, to which `references`, at least one, refer.
    private mutating func update(_ day: Day, from references: [FavoriteReference]) {
        var favorite =
            favorites[day] ?? Favorite(day: day, added: now, names: [], kind: references[0].kind)
        // A recorded name stays if the scan does not prove that its item is gone.
        let earlierNames = favorite.names.filter(proof.mayExist)
        let names = (references.map(\.name) + earlierNames).sorted().prefix(Self.maximumNames)
        let files = references.filter { $0.item.kind == .file }.map(\.name)
        let earlier = favorite
        favorite.names = Array(names)
        favorite.fileNames = earlier.fileNames.intersection(earlierNames).union(files)
            .intersection(names)
        if favorite.names != earlier.names { favorite.lost = lostNames(of: earlier, now: favorite) }
        favorite.presence = .present
        if !references.contains(where: { $0.kind == favorite.kind }) {
            favorite.kind = references[0].kind
        }
        favorites[day] = favorite
    }

    /// The names that the favorite has lost since it was as `earlier`, and those that it lost a moment before.
    private func lostNames(of earlier: Favorite, now favorite: Favorite) -> Favorite.LostNames? {
        // An absent favorite that returns has only the names that return.
        guard !earlier.isMissing else { return nil }
        var gone = earlier.withLostNames(at: uptime)
        gone.names.removeAll(where: favorite.names.contains)
        // A file that is here, or returned, needs no link in its place.
        let lost = Set(gone.linkNames).subtracting(favorite.names + favorite.linkNames)
            .sorted().prefix(Self.maximumNames)
        return lost.isEmpty ? nil : .init(names: Set(lost), since: uptime)
    }

    // MARK: Absent

    /// Removes the favorites to which no item refers, or holds them if an accident is likely.
    ///
    /// `allUnheld` is the number of favorites that were not held before this scan.
    private mutating func removeOrHold(_ absent: [Favorite], outOf allUnheld: Int) {
        let unheld = absent.filter { !$0.isHeld }
        // mutation test: unread-item
        let gone = unheld.filter { !proof.mayHaveItem($0) }
        hasUndecided = gone.count < unheld.count
        if hasUndecided { endDisappearance(of: unheld, except: Set(gone.map(\.day))) }
        switch proof.scope {
        case .partial: break
        case .otherDirectory: for favorite in gone { hold(favorite) }
        case .sameDirectory:
            // A person may be deleting links while several scans run: favorites that were just held are part of that.
            let justHeld = absent.count(where: isJustHeld)
            // mutation test: many-removals
            let isMany = MassDeletion.isLikely(gone.count + justHeld, of: allUnheld + justHeld)
            for favorite in gone {
                if isMany || proof.hasChangedUnreadFolder {
                    hold(favorite)
                } else {
                    removeAfterGracePeriod(favorite)
                }
            }
        }
    }

    /// Ends the grace period of `favorites` that may have an item after all: only the time counts in which it was certainly gone.
    private mutating func endDisappearance(of favorites: [Favorite], except gone: Set<Day>) {
        // A scan that proves nothing changes nothing, either.
        guard proof.scope != .partial else { return }
        for favorite in favorites where !gone.contains(favorite.day) {
            self.favorites[favorite.day]?.presence = .present
        }
    }

    /// Whether `favorite` is held, and disappeared less than a grace period ago.
    private func isJustHeld(_ favorite: Favorite) -> Bool {
        guard case .held(let since?) = favorite.presence, let rest = restOfGracePeriod(from: since)
        else { return false }
        return rest > 0
    }

    private mutating func removeAfterGracePeriod(_ favorite: Favorite) {
        // mutation test: grace-period
        if restOfGracePeriod(from: disappearance(of: favorite)) == 0 {
            remove(favorite)
        } else {
            let missingFavorite = asMissing(favorite.withLostNames(at: uptime))
            missing.append(missingFavorite)
            favorites[favorite.day] = missingFavorite
        }
    }

    private mutating func remove(_ favorite: Favorite) {
        removed.append(asMissing(favorite))
        favorites[favorite.day] = nil
    }

    private mutating func hold(_ favorite: Favorite) {
        var held = favorite.withLostNames(at: uptime)
        held.presence = .held(since: disappearance(of: favorite))
        favorites[favorite.day] = held
    }

    private func asMissing(_ favorite: Favorite) -> Favorite {
        var favorite = favorite
        favorite.presence = .disappeared(since: disappearance(of: favorite))
        return favorite
    }

    /// When a scan first found no item of `favorite`: now, if its record says that it is present.
    ///
    /// After a restart of the machine, the clock of the grace period begins again, and so does the grace period.
    private func disappearance(of favorite: Favorite) -> Favorite.Disappearance {
        guard let recorded = favorite.disappearance else { return .init(date: now, uptime: uptime) }
        let isClockRunning = restOfGracePeriod(from: recorded) != nil
        return isClockRunning ? recorded : .init(date: recorded.date, uptime: uptime)
    }
}
