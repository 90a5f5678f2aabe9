/// The views, each with places of its own in the tree, where it alone writes.
package enum ViewName: Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The files and directories of all views but sidecars, which are beside the pictures; tests compare the documents with
    /// them.
    package static let places = [
        "index.html", Layout.gallery, "feed.xml", "feed.rss", "wallpapers", "v1",
        Layout.latestPicture, Layout.latestRecord, "\(Layout.favorites)/\(Layout.favoritesHint)",
    ]
}
