internal import APOD
internal import Favorites
internal import FoundationEssentials
internal import Mirror

extension World {
    /// Takes the records of what is missed from the disk: nobody knows what was seen in between.
    ///
    /// No favorite may be missing among them.
    mutating func adoptMissed(from tree: Tree) throws {
        let present = disk["favorites"]?.isFolder == true ? Set(meanings.values) : []
        let contents = try FavoriteStore(tree: tree).contents()
        for (day, favorite) in contents.favorites where !present.contains(day) {
            records[day] = PaperRecord(favorite)
        }
        pins.formUnion(contents.pins.keys.filter { !present.contains($0) })
    }
}

extension PaperRecord {
    fileprivate init(_ favorite: Favorite) {
        added = Int(favorite.added.timeIntervalSince1970)
        names = Set(favorite.names.map(\.text))
        missedSince = favorite.vanishedAt.map { Int($0.timeIntervalSince1970) }
        isHeld = favorite.isHeld
        latest = Dictionary(
            favorite.latest.map { ($0.name.text, $0.modified - World.start + 1000) },
            uniquingKeysWith: max)
    }
}
