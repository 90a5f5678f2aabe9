package import APOD
package import FoundationEssentials
package import Platform

/// Decides which favorites are new, missing, removed or held, from their records and a scan of `favorites/`.
///
/// An item in `favorites/`, such as a link to a picture, makes its day a favorite at once. A favorite whose
/// items are gone is removed after a grace period, in a full scan of the same directory, and if few are gone.
/// Otherwise, it is held: it stays a favorite until its item returns or a command restores or removes it.
package struct FavoriteChanges: Hashable, Sendable {
    /// The seconds for which a favorite must be missing before it is removed.
    package static let removalGracePeriod = 60.0

    /// The most names, and the most files, in the record of one favorite; nobody has more.
    private static let recordLimit = 100

    /// Whether so many favorites are gone at once that an accident is likelier than a person who deletes links.
    ///
    /// These are six or more that are more than 20 % of all, and three or more that are more than half of all.
    package static func isMany(_ gone: Int, of all: Int) -> Bool {
        (gone >= 6 && gone * 5 > all) || (gone >= 3 && gone * 2 > all)
    }

    package private(set) var added: [Favorite] = []
    /// The favorites that are certainly gone, within their grace period.
    package private(set) var missing: [Favorite] = []
    /// The favorites that are held from this scan on, not those that were held before.
    package private(set) var held: [Favorite] = []
    package private(set) var removed: [Favorite] = []
    /// All favorites after the changes.
    package private(set) var favorites: [Day: Favorite]
    /// The favorites whose record must be written.
    package private(set) var changed: [Favorite] = []

    private let proof: ScanProof
    private let now: Date
    private let uptime: Uptime
    private let presentNames: Set<FavoriteName>

    /// Compares the recorded favorites with the references that a scan found.
    ///
    /// Commands have asked to remove the days in `forgetRequests`: without an item they are removed at once, in
    /// any scan. An item that this scan lacks, and a later one lists, makes its day a favorite again.
    package init(
        recorded: [Day: Favorite], references: [FavoriteReference], proof: ScanProof,
        forgetRequests: Set<Day> = [], now: Date, uptime: Uptime
    ) {
        favorites = recorded
        self.proof = proof
        self.now = now
        self.uptime = uptime
        presentNames = Set(references.map(\.name))
        let present = Dictionary(grouping: references, by: \.day)
        for (day, references) in present.sorted(by: { $0.key < $1.key }) {
            update(day, references)
        }
        let absent = recorded.values.filter { present[$0.day] == nil }.sorted { $0.day < $1.day }
        for favorite in absent where forgetRequests.contains(favorite.day) { remove(favorite) }
        handleAbsent(
            absent.filter { !forgetRequests.contains($0.day) && !$0.isHeld },
            of: recorded.values.count { !$0.isHeld })
    }

    /// The seconds until the first missing favorite is removed; `nil` if none is missing.
    package var secondsUntilNextRemoval: Double? { missing.compactMap(secondsUntilRemoval).min() }

    /// The seconds until `favorite` is removed; `nil` if it is not missing, or held, which ends the grace period.
    package func secondsUntilRemoval(of favorite: Favorite) -> Double? {
        favorite.missingSinceUptime.flatMap(uptime.seconds(since:))
            .map { max(0, Self.removalGracePeriod - $0) }
    }

    // MARK: Present

    /// Adds or updates the favorite of `day` by its references, at least one.
    private mutating func update(_ day: Day, _ references: [FavoriteReference]) {
        let recorded = favorites[day]
        var favorite =
            recorded ?? Favorite(day: day, added: now, names: [], kind: references[0].kind)
        // Recorded names, and the recorded files that may have them, stay while they may exist.
        let unseenNames = favorite.names.filter {
            !presentNames.contains($0) && proof.mayExist($0)
        }
        let unseenFiles = unseenNames.isEmpty ? [] : favorite.files
        favorite.names = Array(
            (references.map(\.name) + unseenNames).sorted().prefix(Self.recordLimit))
        // In another order, the record of a favorite with more files would be written after each scan.
        let files = Set(references.compactMap(\.file) + unseenFiles).sorted {
            ($0.modified, $0.size, $0.stamp ?? "") < ($1.modified, $1.size, $1.stamp ?? "")
        }
        favorite.files = Array(files.prefix(Self.recordLimit))
        favorite.missingSince = nil
        favorite.missingSinceUptime = nil
        favorite.isHeld = false
        if !references.contains(where: { $0.kind == favorite.kind }) {
            favorite.kind = references[0].kind
        }
        if recorded == nil { added.append(favorite) }
        if favorite != recorded { record(favorite) }
    }

    // MARK: Absent

    /// Holds or removes the favorites without a reference; `count` favorites were not held before.
    private mutating func handleAbsent(_ absent: [Favorite], of count: Int) {
        switch proof.scope {
        case .partial: break
        case .otherDirectory: for favorite in absent { hold(favorite) }
        case .sameDirectory:
            // A favorite whose item may be where the scan could not read stays as it is.
            let gone = absent.filter { !proof.mayHaveItem($0) }
            // mutation test: many-removals
            let isMany = Self.isMany(gone.count, of: count)
            for favorite in gone {
                if isMany { hold(favorite) } else { removeAfterGracePeriod(favorite) }
            }
        }
    }

    private mutating func removeAfterGracePeriod(_ favorite: Favorite) {
        if let seconds = favorite.missingSinceUptime.flatMap(uptime.seconds(since:)) {
            // mutation test: grace-period
            if seconds >= Self.removalGracePeriod {
                remove(favorite)
            } else {
                missing.append(favorite)
            }
            return
        }
        // Missing since this scan, or the machine was restarted: the grace period begins.
        var favorite = favorite
        favorite.missingSince = favorite.missingSince ?? now
        favorite.missingSinceUptime = uptime
        missing.append(favorite)
        record(favorite)
    }

    private mutating func hold(_ favorite: Favorite) {
        let favorite = favorite.held(at: now)
        held.append(favorite)
        record(favorite)
    }

    private mutating func remove(_ favorite: Favorite) {
        var favorite = favorite
        favorite.missingSince = favorite.missingSince ?? now
        removed.append(favorite)
        favorites[favorite.day] = nil
    }

    private mutating func record(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        changed.append(favorite)
    }
}
