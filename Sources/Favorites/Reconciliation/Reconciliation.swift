package import APOD
package import FoundationEssentials
internal import Mirror
package import Platform

/// Decides which favorites are new, missing, removed or held, from their records and a scan of `favorites/`.
///
/// It reads and writes nothing.
///
/// An item is a file or a link in `favorites/`. Only its day counts: a renamed item is still the same favorite.
/// - A new item, such as a link to a picture, makes its day a favorite at once.
/// - A favorite whose items are gone is removed after a minute, if only few favorites lack their items, and if the whole of the
///   same directory was scanned as before.
/// - Otherwise, the favorite is held: it stays a favorite until its item returns, or a command restores or removes it.
/// - A favorite whose item may be where the scan could not read stays as it is.
/// - A favorite whose record was lost is held, too, because nothing says whether a person removed its items.
///
/// ``Favorites`` carries out the decisions, in the order of the properties below. Each step can be repeated.
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

    /// Compares the records with `scan`.
    ///
    /// A day in ``Scan/forgetRequests`` without an item is removed at once, in any scan, because a command asked for it.
    ///
    /// - `references`: The items of `scan` that refer to days.
    /// - `unreadFiles`: The paths of the files of `scan` that were not read, so that their days are not known.
    /// - `lastDirectory`: The directory that was `favorites/` in the last complete scan; `nil` if that is not known.
    /// - `now`: The date that a new favorite gets.
    /// - `uptime`: The time by a clock that nobody sets. It measures the grace period.
    package init(
        of stored: StoredFavorites, with scan: Scan, references: [FavoriteReference],
        unreadFiles: [[UInt8]] = [], lastDirectory: DirectoryIdentity?, now: Date, uptime: Uptime
    ) {
        favorites = stored.favorites
        proof = ScanProof(
            of: scan, references: references, unreadFiles: unreadFiles, recorded: stored.favorites,
            lastDirectory: lastDirectory)
        self.now = now
        self.uptime = uptime
        // A day with a damaged or unreadable record, or with a pin alone, which keeps a picture, was a favorite.
        for day in stored.days.union(stored.pins.keys) where stored.favorites[day] == nil {
            favorites[day] = Favorite(day: day, added: now, names: [], kind: .link)
            // mutation test: lost-record-is-held (see Tests/Mutants)
            favorites[day]?.presence = .held(since: nil)
        }
        let recorded = favorites
        let referencesByDay = Dictionary(grouping: references, by: \.day)
        for (day, references) in referencesByDay { update(day, from: references) }
        let absent = recorded.values.filter { referencesByDay[$0.day] == nil }
            .filter { stored.unreadable[$0.day] == nil }.sorted { $0.day < $1.day }
        for favorite in absent where scan.forgetRequests.contains(favorite.day) { remove(favorite) }
        removeOrHold(
            absent.filter { !scan.forgetRequests.contains($0.day) },
            ofFavoritesNotHeld: recorded.values.count { !$0.isHeld })
        changed = favorites.values.filter { stored.favorites[$0.day] != $0 }
            .sorted { $0.day < $1.day }
        added = changed.filter { recorded[$0.day] == nil }
        held = changed.filter { $0.isHeld && stored.favorites[$0.day]?.isHeld != true }
    }

    /// The seconds until the first missing favorite is removed; `nil` if none is missing.
    var secondsUntilNextRemoval: Double? { missing.compactMap(secondsUntilRemoval).min() }

    /// The seconds until `favorite` is removed.
    ///
    /// `nil` if it is present or held, or if the machine was restarted since the favorite disappeared.
    func secondsUntilRemoval(of favorite: Favorite) -> Double? {
        guard case .missing(let since) = favorite.presence else { return nil }
        return restOfGracePeriod(since)
    }

    /// The seconds that are left of the grace period that began at `start`; `nil` if the machine was restarted since.
    private func restOfGracePeriod(_ start: Favorite.Disappearance) -> Double? {
        start.uptime.flatMap(uptime.seconds(since:)).map { max(0, Self.removalGracePeriod - $0) }
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
        favorite.names = Array(names)
        favorite.fileNames = favorite.fileNames.intersection(earlierNames).union(files)
            .intersection(names)
        favorite.presence = .present
        if !references.contains(where: { $0.kind == favorite.kind }) {
            favorite.kind = references[0].kind
        }
        favorites[day] = favorite
    }

    // MARK: Absent

    /// Removes the favorites to which no item refers, or holds them if an accident is likely.
    ///
    /// `countBefore` is the number of favorites that were not held before this scan.
    private mutating func removeOrHold(
        _ absent: [Favorite], ofFavoritesNotHeld countBefore: Int
    ) {
        let unheld = absent.filter { !$0.isHeld }
        // mutation test: unread-item
        let gone = unheld.filter { !proof.mayHaveItem($0) }
        hasUndecided = gone.count < unheld.count
        switch proof.scope {
        case .partial: break
        case .otherDirectory: for favorite in gone { hold(favorite) }
        case .sameDirectory:
            // A person may be deleting links while several scans run: what was held within the last minute belongs to it.
            let justHeld = absent.count { favorite in
                guard case .held(let since?) = favorite.presence else { return false }
                return restOfGracePeriod(since) ?? 0 > 0
            }
            // mutation test: many-removals
            let isMany = DeletedLinks.areMany(gone.count + justHeld, of: countBefore + justHeld)
            for favorite in gone {
                if isMany { hold(favorite) } else { removeAfterGracePeriod(favorite) }
            }
        }
    }

    private mutating func removeAfterGracePeriod(_ favorite: Favorite) {
        let since = disappearance(of: favorite)
        // mutation test: grace-period
        if restOfGracePeriod(since) == 0 {
            remove(favorite)
        } else {
            var favorite = favorite
            favorite.presence = .missing(since: since)
            missing.append(favorite)
            favorites[favorite.day] = favorite
        }
    }

    private mutating func hold(_ favorite: Favorite) {
        let since = disappearance(of: favorite)
        favorites[favorite.day]?.presence = .held(since: since)
    }

    private mutating func remove(_ favorite: Favorite) {
        var favorite = favorite
        favorite.presence = .missing(since: disappearance(of: favorite))
        removed.append(favorite)
        favorites[favorite.day] = nil
    }

    /// When a scan first found no item of `favorite`: now, if its record says that it is present.
    ///
    /// After a restart of the machine, the clock of the grace period begins again, and so does the grace period.
    private func disappearance(of favorite: Favorite) -> Favorite.Disappearance {
        guard let recorded = favorite.disappearance else { return .init(date: now, uptime: uptime) }
        guard restOfGracePeriod(recorded) == nil else { return recorded }
        return .init(date: recorded.date, uptime: uptime)
    }
}
