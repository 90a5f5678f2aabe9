package import APOD
package import FoundationEssentials
package import Platform

/// The changes to the recorded favorites that follow from a scan: a pure value.
///
/// A new item makes its day a favorite at once. A favorite without an item is removed only after the grace
/// period, in a full scan of the same directory, and not together with many others: those are held.
package struct FavoriteChanges: Hashable, Sendable {
    /// The seconds for which a favorite must be missing before it is removed.
    package static let removalGracePeriod = 60.0

    /// Whether `gone` of `count` favorites that are missing together are held: more than five and a fifth of
    /// all, or three or more and more than half of all.
    package static func isMany(_ gone: Int, of count: Int) -> Bool {
        gone > 5 && gone * 5 > count || gone >= 3 && gone * 2 > count
    }

    package private(set) var added: [Favorite] = []
    /// Missing, and within the grace period.
    package private(set) var missing: [Favorite] = []
    /// Held since this scan.
    package private(set) var held: [Favorite] = []
    package private(set) var removed: [Favorite] = []
    /// All favorites after the changes.
    package private(set) var favorites: [Day: Favorite]
    /// The favorites whose record must be written.
    package private(set) var changed: [Favorite] = []

    private let proof: ScanProof
    private let now: Date
    private let uptime: Uptime
    private let presentDays: [FavoriteName: Day]

    /// Compares the recorded favorites with the references that a scan found.
    ///
    /// The absence of the days in `forgetRequests` is accepted at once.
    package init(
        recorded: [Day: Favorite], references: [FavoriteReference], proof: ScanProof,
        forgetRequests: Set<Day> = [], now: Date, uptime: Uptime
    ) {
        favorites = recorded
        self.proof = proof
        self.now = now
        self.uptime = uptime
        presentDays = Dictionary(references.map { ($0.name, $0.day) }) { first, _ in first }
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

    /// The seconds until the next missing favorite is removed.
    package var nextScan: Double? { missing.compactMap(secondsUntilRemoval).min() }

    /// The seconds until `favorite` is removed; `nil` if it is held or not missing.
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
            presentDays[$0] == nil && proof.mayExist($0)
        }
        let unseenFiles = unseenNames.isEmpty ? [] : favorite.files
        let names = references.map(\.name).sorted().limited
        favorite.names = unseenNames.isEmpty ? names : (names + unseenNames).sorted().limited
        favorite.files = references.knownFiles(and: unseenFiles)
        favorite.missingSince = nil
        favorite.missingSinceUptime = nil
        favorite.isHeld = false
        if !references.contains(where: { $0.kind == favorite.kind }) {
            favorite.kind = references[0].kind
        }
        if recorded == nil { added.append(favorite) }
        if favorite != recorded { change(favorite) }
    }

    // MARK: Absent

    /// Holds or removes the favorites without a reference; `count` favorites were not held before.
    private mutating func handleAbsent(_ absent: [Favorite], of count: Int) {
        switch proof.scope {
        case .partial: break
        case .otherDirectory: for favorite in absent { hold(favorite) }
        case .sameDirectory:
            // A favorite that may exist unseen stays as it is.
            let gone = absent.filter { !proof.mayHaveItem($0) }
            // mutation test: many-removals
            let isMany = Self.isMany(gone.count, of: count)
            for favorite in gone { isMany ? hold(favorite) : removeAfterGracePeriod(favorite) }
        }
    }

    private mutating func removeAfterGracePeriod(_ favorite: Favorite) {
        if let seconds = favorite.missingSinceUptime.flatMap(uptime.seconds(since:)) {
            // mutation test: grace-period
            return seconds >= Self.removalGracePeriod
                ? remove(favorite) : missing.append(favorite)
        }
        // Missing since this scan, or the machine was restarted: the grace period begins.
        var favorite = favorite
        favorite.missingSince = favorite.missingSince ?? now
        favorite.missingSinceUptime = uptime
        missing.append(favorite)
        change(favorite)
    }

    private mutating func hold(_ favorite: Favorite) {
        let favorite = favorite.held(at: now)
        held.append(favorite)
        change(favorite)
    }

    private mutating func remove(_ favorite: Favorite) {
        var favorite = favorite
        favorite.missingSince = favorite.missingSince ?? now
        removed.append(favorite)
        favorites[favorite.day] = nil
    }

    private mutating func change(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        changed.append(favorite)
    }
}

extension [FavoriteReference] {
    /// The files of the references and `unseen` ones, oldest first, at most ``Array/limit``.
    fileprivate func knownFiles(and unseen: [KnownFile]) -> [KnownFile] {
        let files = Set(compactMap(\.file) + unseen)
        return Array<KnownFile>(
            files.sorted {
                ($0.modified, $0.size, $0.stamp ?? "") < ($1.modified, $1.size, $1.stamp ?? "")
            }
            .prefix([FavoriteName].limit))
    }
}

extension [FavoriteName] {
    /// The most names, and the most files, in the record of one favorite.
    fileprivate static let limit = 100

    /// The first ``limit`` names, of at most 64 KiB together.
    fileprivate var limited: [FavoriteName] {
        var room = 64 << 10
        return Array(
            prefix(Self.limit).prefix { name in
                room -= name.bytes.count
                return room >= 0
            })
    }
}
