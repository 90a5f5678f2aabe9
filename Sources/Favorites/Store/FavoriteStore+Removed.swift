package import APOD
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Mirror
package import Platform

/// The favorites that are none any more: their records and pins are kept aside for 30 days.
///
/// The days are counted by a sum in a file. It grows by the time since it was written last, by a day at
/// most: so neither a clock that jumps nor a machine that was off makes an end of many at once.
extension FavoriteStore {
    static let removed = folder + "/removed"
    private static let ageName = "age.json"
    private static let secondsKept = 30 * 86_400
    private static let longestStep = 86_400

    /// Ends a favorite.
    ///
    /// Its record is written aside and its pin moved there first: whatever interrupts this, the day is a
    /// favorite or a removed one.
    package func remove(_ favorite: Favorite, pin: String?) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let aside = try tree.root.makeDirectory(Self.removed)
        var members = favorite.json.members
        members.append(.init(key: Self.ageKey, value: .integer(age().seconds)))
        let name = Self.record(of: favorite.day)
        try publish(.object(members), in: Self.removed, as: name)
        if let pin {
            // A pin without a record would be a favorite whose record was lost: it goes first.
            try folder.rename(pin, to: aside, as: pin)
            try aside.synchronize()
            try folder.synchronize()
        }
        try folder.remove(name)
        try folder.synchronize()
    }

    private static let ageKey = "removed"

    /// The removed favorites that can be restored.
    package func removedFavorites() throws(SystemError) -> [Day: Favorite] {
        guard let aside = try tree.root.folder(Self.removed) else { return [:] }
        var favorites: [Day: Favorite] = [:]
        for day in Self.days(in: try aside.textNames()) {
            if let favorite = try? Self.favorite(of: day, in: aside) { favorites[day] = favorite }
        }
        return favorites
    }

    /// Gives a favorite its pin back; what is left of its removal goes.
    ///
    /// - Returns: The name of the pin, `nil` where there is none.
    func takeBack(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        guard let aside = try tree.root.folder(Self.removed) else { return nil }
        let names = try aside.textNames().filter { FileName.day(of: $0) == day }
        guard !names.isEmpty else { return nil }
        let folder = try tree.root.makeDirectory(Self.folder)
        let pin = hasPin ? nil : names.first { !$0.hasSuffix(".json") }
        if let pin {
            try aside.rename(pin, to: folder, as: pin)
            try folder.synchronize()
        }
        for name in names where name != pin { try aside.remove(name) }
        try aside.synchronize()
        return pin
    }

    /// Counts the time, and forgets what was removed 30 days ago.
    func forgetOldRemovals(now: Date) throws(SystemError) {
        guard let aside = try tree.root.folder(Self.removed) else { return }
        let names = try aside.textNames()
        guard names.contains(where: { $0 != Self.ageName }) else { return }
        var age = age()
        let time = Int(now.timeIntervalSince1970)
        age.seconds += min(max(0, time - (age.counted ?? time)), Self.longestStep)
        age.counted = time
        let json: JSON = ["seconds": .integer(age.seconds), "counted": .integer(time)]
        try publish(json, in: Self.removed, as: Self.ageName)
        for day in Self.days(in: names) {
            guard let bytes = try? aside.read(Self.record(of: day), limit: 1 << 20),
                let since = (try? JSON(parsing: bytes))?[Self.ageKey]?.integer,
                age.seconds - since >= Self.secondsKept
            else { continue }
            // The record last: without it nobody would know when to remove the pin.
            for name in names where FileName.day(of: name) == day && !name.hasSuffix(".json") {
                try aside.remove(name)
            }
            try aside.synchronize()
            try aside.remove(Self.record(of: day))
        }
        try aside.synchronize()
    }

    private func age() -> (seconds: Int, counted: Int?) {
        let bytes = try? tree.root.read("\(Self.removed)/\(Self.ageName)", limit: 4096)
        let json = bytes.flatMap { try? JSON(parsing: $0) }
        return (max(0, json?["seconds"]?.integer ?? 0), json?["counted"]?.integer)
    }

    private static func days(in names: [String]) -> [Day] {
        names.compactMap { name in
            FileName.day(of: name).flatMap { record(of: $0) == name ? $0 : nil }
        }
    }
}
