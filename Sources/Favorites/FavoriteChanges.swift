package import APOD
package import FoundationEssentials

/// What a look at `favorites/` changes: a pure value, made from what is recorded and what was found.
///
/// Something new is believed at once. That something is gone is believed only after a minute, of a
/// complete look at the same folder, and not of many at once: else the favorite is held.
package struct FavoriteChanges: Hashable, Sendable {
    /// How far a look can be trusted to show what is not there.
    package enum Trust: Hashable, Sendable {
        /// The whole of the folder that was looked at before.
        case whole
        /// The whole of another folder than before.
        case anotherFolder
        /// Something could not be seen.
        case partial
    }

    /// How long something must be gone to be believed gone, in seconds.
    package static let patience = 60.0
    /// So many may vanish together, or a fifth of all, if that is more.
    package static let few = 5

    package private(set) var added: [Favorite] = []
    /// Seen as recorded.
    package private(set) var kept: [Favorite] = []
    /// Seen under other names than recorded.
    package private(set) var renamed: [Favorite] = []
    /// Seen again after they were missed.
    package private(set) var returned: [Favorite] = []
    /// Missed, and not yet believed gone.
    package private(set) var missed: [Favorite] = []
    /// Not believed gone from now on.
    package private(set) var held: [Favorite] = []
    /// Believed gone.
    package private(set) var vanished: [Favorite] = []
    /// All favorites that are one afterwards.
    package private(set) var favorites: [Day: Favorite]
    /// Those whose record must be written.
    package private(set) var changed: [Favorite] = []

    private let trust: Trust
    private let now: Date
    /// What was seen, where something may be there that was not.
    private let names: Set<FavoriteName>

    /// - Parameters:
    ///   - recorded: The favorites so far.
    ///   - found: What stands for a day in `favorites/`.
    ///   - trust: What the look proves.
    ///   - letGo: The days that somebody asked to be forgotten: their absence is believed at once.
    ///   - now: The time.
    package init(
        recorded: [Day: Favorite], found: [Sighting], trust: Trust, letGo: Set<Day> = [], now: Date
    ) {
        favorites = recorded
        self.trust = trust
        self.now = now
        names = trust == .whole ? [] : Set(found.map { $0.name })
        let seen = Dictionary(grouping: found) { $0.day }
        for (day, sightings) in seen.sorted(by: { $0.key < $1.key }) { see(day, sightings) }
        let absent = recorded.values.filter { seen[$0.day] == nil }.sorted { $0.day < $1.day }
        for favorite in absent where letGo.contains(favorite.day) { drop(favorite) }
        miss(
            absent.filter { !letGo.contains($0.day) && !$0.isHeld },
            of: recorded.values.count { !$0.isHeld })
    }

    /// When the next of the missed favorites may be believed gone.
    package var nextLook: Date? {
        missed.compactMap(\.vanishedAt).min()?.addingTimeInterval(Self.patience)
    }

    // MARK: Present

    private mutating func see(_ day: Day, _ sightings: [Sighting]) {
        let names = sightings.map(\.name).sorted()
        guard let recorded = favorites[day] else {
            var favorite = Favorite(day, added: now, names: names, via: sightings[0].via)
            favorite.latest = Self.marks(sightings)
            added.append(favorite)
            return write(favorite)
        }
        var favorite = recorded
        // A name that was not seen may still be there, unless the look proves otherwise.
        let unseen = trust == .whole ? [] : recorded.names.filter { !self.names.contains($0) }
        favorite.names = unseen.isEmpty ? names : (names + unseen).sorted()
        favorite.latest = Self.marks(sightings)
        favorite.vanishedAt = nil
        favorite.isHeld = false
        if !sightings.contains(where: { $0.via == recorded.via }) {
            favorite.via = sightings[0].via
        }
        if recorded.vanishedAt != nil || recorded.isHeld {
            returned.append(favorite)
        } else if favorite.names != recorded.names {
            renamed.append(favorite)
        } else {
            kept.append(favorite)
        }
        if favorite != recorded { write(favorite) }
    }

    private static func marks(_ sightings: [Sighting]) -> [LatestMark] {
        sightings.compactMap { sighting in
            sighting.latestMade.map { LatestMark(name: sighting.name, modified: $0) }
        }.sorted { $0.name < $1.name }
    }

    // MARK: Absent

    /// - Parameters:
    ///   - absent: The favorites that were not seen and are not held.
    ///   - all: How many were not held before.
    private mutating func miss(_ absent: [Favorite], of all: Int) {
        switch trust {
        case .partial: missed += absent
        case .anotherFolder: absent.forEach { hold($0) }
        case .whole where absent.count > Self.few && absent.count * 5 > all:
            absent.forEach { hold($0) }
        case .whole: absent.forEach { wait(for: $0) }
        }
    }

    private mutating func wait(for favorite: Favorite) {
        // A time in the future was written before the clock was set back.
        if let since = favorite.vanishedAt, since <= now {
            return now.timeIntervalSince(since) >= Self.patience
                ? drop(favorite) : missed.append(favorite)
        }
        var favorite = favorite
        favorite.vanishedAt = now
        missed.append(favorite)
        write(favorite)
    }

    private mutating func hold(_ favorite: Favorite) {
        var favorite = favorite
        favorite.vanishedAt = favorite.vanishedAt ?? now
        favorite.isHeld = true
        held.append(favorite)
        write(favorite)
    }

    private mutating func drop(_ favorite: Favorite) {
        vanished.append(favorite)
        favorites[favorite.day] = nil
    }

    private mutating func write(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        changed.append(favorite)
    }
}
