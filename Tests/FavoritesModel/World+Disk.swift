internal import APOD
internal import Favorites
internal import FoundationEssentials
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

    /// Copies the records of missing favorites: the intermediate scans are unknown.
    ///
    mutating func copyMissingRecords(from tree: Tree) throws {
        let present = disk["favorites"]?.isFolder == true ? Set(meanings.values) : []
        let book = try FavoriteStore(tree: tree).book()
        for (day, favorite) in book.favorites where !present.contains(day) {
            records[day] = ModelRecord(favorite)
        }
        removed = try FavoriteStore(tree: tree).removedFavorites().mapValues { ModelRecord($0) }
        pins.formUnion(book.pins.keys.filter { !present.contains($0) })
    }
}

extension ModelRecord {
    fileprivate init(_ favorite: Favorite) {
        added = Int(favorite.added.timeIntervalSince1970)
        names = Set(favorite.names.map(\.text))
        missingSince = favorite.missingSince.map { Int($0.timeIntervalSince1970) }
        isHeld = favorite.isHeld
        grace = favorite.missingSinceUptime.flatMap { since in
            Int(since.boot).map { Grace(boot: $0, seconds: since.milliseconds / 1000) }
        }
    }
}
