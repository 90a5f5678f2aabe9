package import APOD
package import Platform

/// Whose file a path of the tree is, for code that reads or repairs; ``ViewFiles`` checks the same ``ViewLog`` before it
/// writes.
///
/// Nothing is the mirror's by resemblance, such as a mark in a text, a modification time, or a name: only a record, or what
/// a view recorded of each file that it wrote, proves it.
package struct Ownership: Sendable {
    package enum Owner: Hashable, Sendable {
        /// The record of this day, published or staged, names the file, or it is the record itself.
        case day(Day)
        /// This view wrote the file, and it is byte for byte as it was written.
        case view(ViewName)
        case user
    }

    private let tree: Tree

    package init(of tree: Tree) { self.tree = tree }

    /// Whose file is at `path`, relative to the root; a path without a file is nobody's, and counts as the user's.
    package func owner(of path: String) throws(SystemError) -> Owner {
        if let view = ViewName(of: path) {
            let status = try ifReadable(tree.root.status(path))
            guard let status else { return .user }
            return try ViewLog(of: view, in: tree.root).proves(path, status) ? .view(view) : .user
        }
        guard let day = FileName.day(of: Layout.split(path).name),
            try recordedPaths(of: day).contains(path)
        else { return .user }
        return .day(day)
    }

    /// Whether the item at `path` may be a damaged file of a view: that view wrote a file there.
    package func hasWritten(_ path: String) throws(SystemError) -> Bool {
        guard let view = ViewName(of: path) else { return false }
        return try ViewLog(of: view, in: tree.root).hasWritten(path)
    }

    /// The paths of the record of `day`, and of the files that it names or that a staged one does.
    private func recordedPaths(of day: Day) throws(SystemError) -> Set<String> {
        var paths: Set<String> = [Layout.recordPath(of: day)]
        for record in try tree.currentRecords(of: day) {
            paths.formUnion(record.files.map(\.path) + [record.page].compactMap(\.self))
        }
        return paths
    }
}

/// The views, each with places of its own in the tree, where it alone writes.
package enum ViewName: String, CaseIterable, Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The view in whose place `path` is, relative to the root; `nil` in the places of days and of users.
    package init?(of path: String) {
        let place = Self.places.first { path == $0.path || path.hasPrefix("\($0.path)/") }
        if let place {
            self = place.view
        } else if path.hasPrefix("\(Layout.pictures)/"), path.hasSuffix(Layout.sidecarExtension) {
            self = .sidecars
        } else {
            return nil
        }
    }

    /// The files and directories of each view; of two that contain a path, the first counts.
    package static let places: [(path: String, view: ViewName)] = [
        (Layout.thumbnails, .thumbnails), (Rendition.folder, .renditions),
        ("index.html", .gallery), (Layout.gallery, .gallery),
        ("feed.xml", .feeds), ("feed.rss", .feeds), ("wallpapers", .wallpapers), ("v1", .v1),
        (Layout.latestPicture, .latest), (Layout.latestRecord, .latest),
        ("\(Layout.favorites)/\(Layout.favoritesHint)", .hint),
    ]
}
