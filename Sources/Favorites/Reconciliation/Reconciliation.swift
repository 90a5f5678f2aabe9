package import APOD
package import FoundationEssentials
internal import Mirror
package import Platform

/// Decides which favorites are new, missing, removed or held: a pure function of their records and a scan.
///
/// - A new item, such as a link to a picture, makes its day a favorite at once.
/// - A favorite whose items are gone is removed after a minute, if few are gone in a full scan of the same directory.
/// - Otherwise, it is held: it stays a favorite until its item returns, or a command restores or removes it.
/// - A favorite whose record was lost is held, too, because nothing says whether its items were removed.
///
/// ``Favorites`` carries out what it says, in the order of its properties; each step can be repeated.
package struct Reconciliation: Sendable {
    /// The seconds for which a favorite must be missing before it is removed.
    package static let removalGracePeriod = 60.0

    /// The most names in the record of one favorite; nobody has more.
    private static let recordLimit = 100

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

    private let proof: ScanProof
    private let now: Date
    private let uptime: Uptime

    /// Compares the records with `scan`, in which there are `references` to days, and `unreadFiles`.
    ///
    /// `last` is the directory of the last full scan. A day in ``Scan/forgetRequests`` without an item is removed at once, in
    /// any scan, because a command asked for it.
    package init(
        of book: Book, with scan: Scan, _ references: [FavoriteReference],
        unreadFiles: [[UInt8]] = [], last: DirectoryIdentity?, now: Date, uptime: Uptime
    ) {
        favorites = book.favorites
        proof = ScanProof(
            of: scan, references: references, unreadFiles: unreadFiles, recorded: book.favorites,
            last: last)
        self.now = now
        self.uptime = uptime
        // A day with a damaged or unreadable record, or with a pin alone, was a favorite: only favorites have these.
        for day in book.days.union(book.pins.keys) where book.favorites[day] == nil {
            favorites[day] = Favorite(day: day, added: now, names: [], kind: .link)
            // mutation test: lost-record-is-held
            favorites[day]?.presence = .held(since: nil)
        }
        let recorded = favorites
        let referencesByDay = Dictionary(grouping: references, by: \.day)
        for (day, references) in referencesByDay { update(day, references) }
        let absent = recorded.values.filter { referencesByDay[$0.day] == nil }
            .filter { book.unreadable[$0.day] == nil }.sorted { $0.day < $1.day }
        for favorite in absent where scan.forgetRequests.contains(favorite.day) { remove(favorite) }
        handleAbsent(
            absent.filter { !scan.forgetRequests.contains($0.day) },
            of: recorded.values.count { !$0.isHeld })
        changed = favorites.values.filter { book.favorites[$0.day] != $0 }
            .sorted { $0.day < $1.day }
        added = changed.filter { recorded[$0.day] == nil }
        held = changed.filter { $0.isHeld && book.favorites[$0.day]?.isHeld != true }
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

    /// The rest, in seconds, of the grace period that began at `start`; `nil` if the machine was restarted since.
    private func restOfGracePeriod(_ start: Favorite.Disappearance) -> Double? {
        start.uptime.flatMap(uptime.seconds(since:)).map { max(0, Self.removalGracePeriod - $0) }
    }

    // MARK: Present

    /// Adds or updates the favorite of `day`; there is at least one reference.
    private mutating func update(_ day: Day, _ references: [FavoriteReference]) {
        var favorite =
            favorites[day] ?? Favorite(day: day, added: now, names: [], kind: references[0].kind)
        // Recorded names stay while items may have them.
        let names = references.map(\.name) + favorite.names.filter(proof.mayExist)
        favorite.names = Array(names.sorted().prefix(Self.recordLimit))
        favorite.presence = .present
        if !references.contains(where: { $0.kind == favorite.kind }) {
            favorite.kind = references[0].kind
        }
        favorites[day] = favorite
    }

    // MARK: Absent

    /// Holds or removes the favorites without a reference that are not held; `count` favorites were not held before.
    private mutating func handleAbsent(_ absent: [Favorite], of count: Int) {
        let unheld = absent.filter { !$0.isHeld }
        switch proof.scope {
        case .partial: break
        case .otherDirectory: for favorite in unheld { hold(favorite) }
        case .sameDirectory:
            // A favorite whose item may be where the scan could not read stays as it is.
            let gone = unheld.filter { !proof.mayHaveItem($0) }
            // A person may be deleting links during several scans: what the last ones held is part of the same deletion.
            let justHeld = absent.count { favorite in
                guard case .held(let since?) = favorite.presence else { return false }
                return restOfGracePeriod(since) ?? 0 > 0
            }
            // mutation test: many-removals
            let isMany = DeletedLinks.areMany(gone.count + justHeld, of: count + justHeld)
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

    /// When `favorite` disappeared: in this scan, if it is recorded as present.
    ///
    /// After a restart of the machine, the grace period begins again.
    private func disappearance(of favorite: Favorite) -> Favorite.Disappearance {
        guard let recorded = favorite.disappearance else { return .init(date: now, uptime: uptime) }
        guard restOfGracePeriod(recorded) == nil else { return recorded }
        return .init(date: recorded.date, uptime: uptime)
    }
}
