package import APOD
internal import Glibc
internal import JSON
internal import Mirror
package import Platform

/// Removed favorites: their records and pins are kept in `removed/` for 30 days.
///
/// A file counts the time: the age of a removed favorite grows by the uptime within one boot, and by nothing else,
/// so that no clock deletes one early.
extension FavoriteStore {
    static let removed = folder + "/removed"
    private static let clockName = "age.json"
    private static let retention = 30 * 86_400

    /// Its record and its pins are first moved to `removed/`: after an interruption the day is still a
    /// favorite or a removed one.
    func remove(_ favorite: Favorite, at uptime: Uptime) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let removed = try tree.root.makeDirectory(Self.removed)
        var members = favorite.json.members
        members.append(.init(key: Self.ageKey, value: .integer(try age(at: uptime))))
        let name = Layout.record(of: favorite.day)
        try publish(.object(members), in: Self.removed, as: name)
        let pins = try Self.pins(of: favorite.day, in: folder)
        if !pins.isEmpty {
            // A pin without a record is taken for a favorite with a lost record: move the pins first.
            for pin in pins { try folder.rename(pin, to: removed, as: pin) }
            try removed.synchronize()
            try folder.synchronize()
        }
        try folder.remove(name)
        try folder.synchronize()
    }

    private static let ageKey = "removed"

    /// The removed favorites that can be restored: all, or those of `days`.
    package func removedFavorites(
        _ days: [Day]? = nil
    ) throws(SystemError) -> [Day: Favorite] {
        guard let removed = try tree.root.folder(Self.removed) else { return [:] }
        var favorites: [Day: Favorite] = [:]
        let recorded = try Self.days(in: removed.textNames())
        for day in days.map(Set.init)?.intersection(recorded) ?? Set(recorded) {
            favorites[day] = try ifReadable(Self.favorite(of: day, in: removed))
            favorites[day]?.unknown.removeAll { $0.key == Self.ageKey }
        }
        return favorites
    }

    /// Moves the pins of a favorite back from `removed/`, or deletes them if it `hasPin`, and deletes its old
    /// record there.
    ///
    /// - Returns: The name of the first pin, `nil` if none was moved.
    func reclaim(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        guard let removed = try tree.root.folder(Self.removed) else { return nil }
        let pins = try Self.pins(of: day, in: removed)
        if !hasPin, !pins.isEmpty {
            let folder = try tree.root.makeDirectory(Self.folder)
            for pin in pins { try removed.rename(pin, to: folder, as: pin) }
            try folder.synchronize()
        } else {
            for pin in pins { try removed.remove(pin) }
        }
        try removed.remove(Layout.record(of: day))
        try removed.synchronize()
        return hasPin ? nil : pins.first
    }

    /// Counts the time, and deletes what was removed 30 days ago.
    func deleteExpiredRemovals(at uptime: Uptime) throws(SystemError) {
        guard let removed = try tree.root.folder(Self.removed) else { return }
        let names = try removed.textNames()
        guard names.contains(where: { $0 != Self.clockName }) else {
            // The time until the next removal does not count.
            return try removed.remove(Self.clockName)
        }
        let age = try age(at: uptime)
        let json: JSON = ["seconds": .integer(age), "counted_uptime": uptime.json]
        try publish(json, in: Self.removed, as: Self.clockName)
        for day in Self.days(in: names) {
            guard let bytes = try? removed.read(Layout.record(of: day), limit: 1 << 20),
                let since = (try? JSON(parsing: bytes))?[Self.ageKey]?.count,
                age - since >= Self.retention
            else { continue }
            // Delete the record last: it has the time at which the pin expires.
            for pin in try Self.pins(of: day, in: removed) { try removed.remove(pin) }
            try removed.synchronize()
            try removed.remove(Layout.record(of: day))
        }
        try removed.synchronize()
    }

    /// The counted time up to `uptime`, in whole seconds; what passed before another boot was seen is not in it.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: 0 would let a pin expire at once.
    private func age(at uptime: Uptime) throws(SystemError) -> Int {
        let json = try json(at: "\(Self.removed)/\(Self.clockName)")
        let counted = json?["counted_uptime"].flatMap(Uptime.init)
        // mutant: removal-age
        let step = counted.flatMap(uptime.seconds(since:)) ?? 0
        return (json?["seconds"]?.count ?? 0) + Int(step)
    }
}
