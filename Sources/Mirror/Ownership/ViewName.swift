package import Platform

/// The views, each with places of its own in the tree, where it alone writes.
package enum ViewName: Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The files and directories of each view but sidecars, which are beside the pictures; of two that contain a path,
    /// the first counts.
    package static let places: [(path: String, view: ViewName)] = [
        (Layout.thumbnails, .thumbnails), (Rendition.folder, .renditions),
        ("index.html", .gallery), (Layout.gallery, .gallery),
        ("feed.xml", .feeds), ("feed.rss", .feeds), ("wallpapers", .wallpapers), ("v1", .v1),
        (Layout.latestPicture, .latest), (Layout.latestRecord, .latest),
        ("\(Layout.favorites)/\(Layout.favoritesHint)", .hint),
    ]
}

extension Tree {
    /// Whether `view` wrote a file at `path`, which may have changed since, and did not remove it.
    package func hasWritten(_ path: String, by view: ViewName) throws(SystemError) -> Bool {
        try ViewLog(of: view, in: root).hasWritten(path)
    }
}
