internal import APOD
internal import Favorites
internal import FoundationEssentials
internal import JSON
internal import Mirror
internal import Platform

extension World {
    /// Copies links that were repaired before they were moved out of `favorites/`.
    mutating func copyRecreatedLinks(from disk: RealDisk) {
        let seen = Set(meanings.keys.map { "favorites/\($0)" })
        for (path, thing) in self.disk.things where !seen.contains(path) {
            guard case .link(let target) = thing, let text = disk.target(path),
                text != disk.text(of: target)
            else { continue }
            let repaired = days(of: target).flatMap { day in
                (1...4).map { Target.relative(day, up: $0) }
            }
            if let found = repaired.first(where: { disk.text(of: $0) == text }) {
                _ = self.disk.replace(found, at: path)
            }
        }
    }

    /// The days to whose pictures a link may have been replaced.
    private func days(of target: Target) -> Set<Day> {
        switch target {
        case .relative(let day, _), .placeholder(let day, _): [day]
        case .latest: mirrored
        default: []
        }
    }

    /// Copies what unknown intermediate scans decide: the records of missing favorites, and the names of present ones
    /// whose path something else has now.
    ///
    /// A name stays if its folder was replaced between two scans, and not if a scan saw that it was gone before.
    mutating func copyUnobservedRecords(from tree: Tree) throws {
        let world = self
        let present = disk["favorites"]?.isFolder == true ? Set(meanings.values) : []
        let stored = try FavoriteStore(tree: tree).storedFavorites()
        for (day, favorite) in stored.favorites {
            let found = ModelRecord(favorite)
            guard present.contains(day) else {
                records[day] = found
                continue
            }
            let names = (records[day]?.names ?? []).filter { !world.isReplaced($0) }
            records[day]?.names = names.union(found.names.filter(world.isReplaced))
            records[day]?.files = found.files
            records[day]?.lost = found.lost
            records[day]?.lostSince = found.lostSince
        }
        for day in records.keys where isGraceOver(of: day) && !present.contains(day) {
            // Only a path that something else has by now protects it: a scan before that has removed it.
            guard stored.favorites[day] == nil else { continue }
            records[day] = nil
            pins.remove(day)
        }
        removed = try FavoriteStore(tree: tree).removedFavorites().mapValues {
            ModelRecord($0.favorite)
        }
        pins.formUnion(stored.pins.keys.filter { !present.contains($0) })
    }
}

extension ModelRecord {
    fileprivate init(_ favorite: Favorite) {
        added = Int(favorite.added.timeIntervalSince1970)
        names = Set(favorite.names.map(\.text))
        files = Set(favorite.fileNames.map(\.text))
        missingSince = favorite.disappearance.map { Int($0.date.timeIntervalSince1970) }
        isHeld = favorite.isHeld
        if let recorded = favorite.json["lost"], let since = recorded["since_uptime"],
            let boot = since["boot"]?.string.flatMap({ Int($0) }),
            let milliseconds = since["milliseconds"]?.count
        {
            lost = Set(recorded["names"]?.elements.compactMap(\.string) ?? [])
            lostSince = Grace(boot: boot, seconds: milliseconds / 1000)
        }
        grace = favorite.disappearance?.uptime.flatMap { since in
            Int(since.boot).map { Grace(boot: $0, seconds: since.milliseconds / 1000) }
        }
    }
}
