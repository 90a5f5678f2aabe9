internal import APOD
internal import Mirror
internal import Platform

/// The pictures that a person refuses as wallpapers: each link that the person deleted in `wallpapers/` says “never this one”.
///
/// A link that was moved into `favorites/` refuses nothing: the person likes the picture. A link to a refused picture that a
/// person makes in `wallpapers/` ends the refusal.
struct RefusedWallpapers {
    /// The days whose pictures get no link.
    let days: Set<Day>
    /// The names of the links that were deleted since the last update; the table of the view records them as refused.
    let newNames: Set<String>
    /// The names of the links that are gone but refuse nothing, so that the table of the view is to forget them.
    let namesToForget: Set<String>

    /// `deleted` are the links of the last update that are gone, and `names` the items that `wallpapers/` has now.
    init(_ deleted: DeletedLinks, present names: [String], in input: ViewInput) {
        let moved = deleted.newlyRefused.filter { Self.mayBeInFavorites($0, input) }
        newNames = deleted.newlyRefused.subtracting(moved)
        namesToForget = deleted.lost.union(moved)
        let refusedDays = Set(deleted.refused.union(newNames).compactMap { WallpaperName($0).day })
        if refusedDays.isEmpty {
            // No link needs to be read.
            days = []
        } else {
            days = refusedDays.subtracting(Self.linkedDays(of: names, in: input.root))
        }
    }

    /// Whether a person may have moved the link `name` into `favorites/`, and so wants the picture more than before.
    ///
    /// An item with its name may be there, perhaps in a collection. Or a scan has found the link under another name: the day was
    /// no favorite when the link was made, and is one now.
    private static func mayBeInFavorites(_ name: String, _ input: ViewInput) -> Bool {
        let paths = [name] + input.collections.keys.map { "\($0)/\(name)" }
        let mayBeThere = paths.contains { path in
            !input.root.isCertainlyMissing("\(Layout.favorites)/\(path)")
        }
        if mayBeThere { return true }
        let wallpaper = WallpaperName(name)
        guard let day = wallpaper.day, !wallpaper.isOfFavorite else { return false }
        return input.favorites.contains(day)
    }

    /// The days to which the items `names` of `wallpapers/` refer, by their names or as links.
    private static func linkedDays(of names: [String], in root: Directory) -> Set<Day> {
        let targets = names.compactMap { root.target(of: WallpapersView.path(of: $0)) }
        let targetNames = targets.map { Layout.split($0).name }
        return Set((names + targetNames).compactMap { WallpaperName($0).day })
    }
}
