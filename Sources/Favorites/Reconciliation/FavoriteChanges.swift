package import APOD
package import FoundationEssentials
package import Platform

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
    private let unseen: Set<ArraySlice<UInt8>>
    private let now: Date
    private let uptime: Uptime
    /// What was seen, where something may be there that was not.
    private let names: Set<FavoriteName>

    /// - Parameters:
    ///   - recorded: The favorites so far.
    ///   - found: What stands for a day in `favorites/`.
    ///   - trust: What the look proves.
    ///   - unseen: The paths at or below which something may be that was not seen.
    ///   - letGo: The days that somebody asked to be forgotten: their absence is believed at once.
    ///   - now: The time.
    ///   - uptime: The same moment by a clock that nobody sets.
    package init(
        recorded: [Day: Favorite], found: [FavoriteReference], trust: Trust,
        unseen: Set<ArraySlice<UInt8>> = [], letGo: Set<Day> = [], now: Date, uptime: Uptime
    ) {
        favorites = recorded
        self.trust = trust
        self.unseen = unseen
        self.now = now
        self.uptime = uptime
        names = trust == .whole && unseen.isEmpty ? [] : Set(found.map { $0.name })
        let seen = see(found)
        let absent = recorded.keys.filter { !seen.contains($0) }.sorted().compactMap {
            recorded[$0]
        }
        for favorite in absent where letGo.contains(favorite.day) { drop(favorite) }
        miss(absent.filter { !letGo.contains($0.day) && !$0.isHeld }, of: recorded)
    }

    /// In how many seconds the next of the missed favorites may be believed gone.
    package var nextLook: Double? {
        missed.compactMap { $0.missedSince.flatMap(uptime.seconds(since:)) }.max()
            .map { max(0, Self.patience - $0) }
    }

    /// Whether something called `name` may be there that was not seen.
    private func mayBeThere(_ name: FavoriteName) -> Bool {
        guard trust == .whole else { return true }
        guard !unseen.isEmpty else { return false }
        return unseen.contains(name.bytes)
            || name.bytes.indices.contains {
                name.bytes[$0] == UInt8(ascii: "/") && unseen.contains(name.bytes[..<$0])
            }
    }

    // MARK: Present

    /// Sees one day after the other.
    ///
    /// - Returns: The days.
    private mutating func see(_ found: [FavoriteReference]) -> Set<Day> {
        var days = Set<Day>(minimumCapacity: favorites.count)
        var rest = Self.byDay(found)[...]
        while let day = rest.first?.day {
            let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
            see(day, rest[..<end])
            days.insert(day)
            rest = rest[end...]
        }
        return days
    }

    /// Sorts what was found by day, and within a day leaves it as it is.
    private static func byDay(_ found: [FavoriteReference]) -> [FavoriteReference] {
        // Numbers are sorted many times faster than what they stand for.
        let places = found.indices.map { found[$0].day.number << 32 | $0 }.sorted()
        return places.map { found[$0 & 0xFFFF_FFFF] }
    }

    /// - Parameters:
    ///   - day: A day.
    ///   - sightings: All that stands for it.
    private mutating func see(_ day: Day, _ sightings: ArraySlice<FavoriteReference>) {
        guard let recorded = favorites[day] else { return add(day, sightings) }
        // Most are, and there may be many.
        if recorded.isTrue(to: sightings) { return kept.append(recorded) }
        let names = sightings.names.map { FavoriteName(copying: $0) }
        var favorite = recorded
        // A name that was not seen may still be there, unless the look proves otherwise.
        let unseen = recorded.names.filter { mayBeThere($0) && !self.names.contains($0) }
        favorite.names = unseen.isEmpty ? names : (names + unseen).sorted().few
        favorite.latest = sightings.marks
        favorite.vanishedAt = nil
        favorite.missedSince = nil
        favorite.isHeld = false
        if !sightings.contains(where: { $0.via == recorded.via }) {
            favorite.via = sightings[sightings.startIndex].via
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

    private mutating func add(_ day: Day, _ sightings: ArraySlice<FavoriteReference>) {
        var favorite = Favorite(
            day, added: now, names: sightings.names.map { FavoriteName(copying: $0) },
            via: sightings[sightings.startIndex].via)
        favorite.latest = sightings.marks
        added.append(favorite)
        write(favorite)
    }

    // MARK: Absent

    /// - Parameters:
    ///   - absent: The favorites that were not seen and are not held.
    ///   - recorded: The favorites so far.
    private mutating func miss(_ absent: [Favorite], of recorded: [Day: Favorite]) {
        // What may lie where nothing could be seen is left as it is.
        let absent =
            trust == .whole
            ? absent.filter { !$0.names.contains(where: mayBeThere) } : absent
        guard !absent.isEmpty else { return }
        let all = recorded.values.count { !$0.isHeld }
        switch trust {
        case .partial: missed += absent
        case .anotherFolder: absent.forEach { hold($0) }
        case .whole where absent.count > Self.few && absent.count * 5 > all:
            absent.forEach { hold($0) }
        case .whole: absent.forEach { wait(for: $0) }
        }
    }

    private mutating func wait(for favorite: Favorite) {
        if let seconds = favorite.missedSince.flatMap(uptime.seconds(since:)) {
            return seconds >= Self.patience ? drop(favorite) : missed.append(favorite)
        }
        // Missed from now on, or for the first time since the machine started.
        var favorite = favorite
        favorite.vanishedAt = favorite.vanishedAt ?? now
        favorite.missedSince = uptime
        missed.append(favorite)
        write(favorite)
    }

    private mutating func hold(_ favorite: Favorite) {
        var favorite = favorite
        favorite.vanishedAt = favorite.vanishedAt ?? now
        favorite.missedSince = nil
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

extension Favorite {
    /// Whether the record says already what is seen of its day.
    fileprivate func isTrue(to sightings: ArraySlice<FavoriteReference>) -> Bool {
        guard vanishedAt == nil, !isHeld, sightings.contains(where: { $0.via == via }),
            sightings.marks == latest
        else { return false }
        return sightings.count == 1
            ? names.count == 1 && names.first == sightings.first?.name
            : names == sightings.names
    }
}

extension ArraySlice<FavoriteReference> {
    fileprivate var names: [FavoriteName] { map { $0.name }.sorted().few }

    /// Those that lead through `latest.*`.
    fileprivate var marks: [LatestLinkRecord] {
        compactMap { sighting in
            sighting.latestMade.map {
                LatestLinkRecord(name: FavoriteName(copying: sighting.name), modified: $0)
            }
        }.sorted { $0.name < $1.name }.prefix([FavoriteName].few).map(\.self)
    }
}

extension [FavoriteName] {
    /// So many names of one favorite are recorded.
    fileprivate static let few = 100

    /// As many as a record takes, the first ones.
    fileprivate var few: [FavoriteName] {
        guard count > 1 else { return self }
        var room = 64 << 10
        return Array(
            prefix(Self.few).prefix { name in
                room -= name.bytes.count
                return room >= 0
            })
    }
}
