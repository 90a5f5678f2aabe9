/// The views, which are made from the snapshot of the tree, each with places to which nothing else writes.
package enum ViewName: Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The paths of all files and directories of views, except for sidecars, which are beside the pictures.
    package static let places = [
        "index.html", Layout.gallery, "feed.xml", "feed.rss", "wallpapers", "v1",
        Layout.latestPicture, Layout.latestRecord, "\(Layout.favorites)/\(Layout.favoritesHint)",
    ]

    /// Whether the view has a file in `favorites/`: the hint, a text that says how to make favorites.
    var writesToFavorites: Bool { self == .hint }
}
