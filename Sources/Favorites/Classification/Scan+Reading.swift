package import Platform

extension Scan {
    /// The name of the folder in the tree.
    package static let folder = "favorites"

    /// What is left out of a scan, and how much is kept of it: a thousand times what people have.
    package static let rules = ScanRules(
        items: 100_000, folders: 20_000, bytes: 32 << 20, pathLength: 4000
    ) { IgnoreRules.isHidden($0) }

    /// Looks at `favorites/` of the tree at `root`, through no link, opening folders only.
    package init(of root: Directory) {
        do {
            self.init(try root.listing(of: Self.folder, by: Self.rules), in: root)
        } catch {
            self.init(failing: error)
        }
    }

    /// What a look at `favorites/` of the tree at `root` found; `nil` stands for no folder.
    package init(_ listing: DirectoryListing?, in root: Directory) {
        guard let listing, let place = listing.place else {
            self.init(place: .missing)
            return
        }
        self.init(
            place: .folder(place),
            items: listing.entries.compactMap { ScannedItem($0, in: root) },
            failures: listing.failures,
            permissions: try? root.folder(Self.folder)?.permissions())
    }

    /// A look that failed.
    package init(failing error: SystemError) {
        self.init(place: error.isNoFolder ? .somethingElse : .unreadable(error))
    }
}

extension ScannedItem {
    /// `nil` for what is hidden, or lies in a hidden folder.
    fileprivate init?(_ entry: DirectoryListing.Entry, in root: Directory) {
        guard !IgnoreRules.hides(entry.path), let name = FavoriteName(entry.path) else {
            return nil
        }
        let status = entry.status ?? Self.statusOfLatest(entry, name, in: root)
        self.init(
            name: name, kind: entry.kind, identity: entry.identity, size: status?.size ?? 0,
            linkTarget: entry.target, modified: status?.modified ?? 0)
    }

    /// When a link was made matters only where it leads to what changes, `latest.*`.
    private static func statusOfLatest(
        _ entry: DirectoryListing.Entry, _ name: FavoriteName, in root: Directory
    ) -> FileStatus? {
        guard let target = entry.target else { return nil }
        let slash = target.lastIndex(of: UInt8(ascii: "/")) ?? target.startIndex - 1
        guard target[(slash + 1)...].starts(with: "latest.".utf8) else { return nil }
        var folder = try? root.folder(Scan.folder)
        for part in name.folders { folder = try? folder?.folder(bytes: part) }
        return (try? folder?.status(bytes: name.last)) ?? nil
    }
}
