package import Platform

extension Scan {
    /// The name of the folder in the tree.
    package static let folder = "favorites"

    /// Looks at `favorites/` of the tree at `root`, through no link, opening folders only.
    package init(of root: Folder) {
        do {
            self.init(try root.listing(of: Self.folder))
        } catch {
            self.init(failing: error)
        }
    }

    /// What a look at `favorites/` found; `nil` stands for no folder.
    package init(_ listing: FolderListing?) {
        guard let listing else {
            self.init(place: .missing)
            return
        }
        self.init(
            place: .folder(listing.identity), items: listing.compactMap(FoundItem.init),
            errors: listing.failures.map(\.error))
    }

    /// A look that failed.
    package init(failing error: SystemError) {
        self.init(place: error.isNoFolder ? .somethingElse : .unreadable(error))
    }
}

extension FoundItem {
    /// `nil` for what is hidden, or lies in a hidden folder.
    fileprivate init?(_ entry: FolderListing.Entry) {
        let components = entry.path.split(separator: UInt8(ascii: "/"))
        guard !components.contains(where: { Ignored.isHidden(Array($0)) }),
            let name = FavoriteName(entry.path)
        else { return nil }
        self.init(
            name: name, kind: entry.kind, identity: entry.identity,
            size: entry.status?.size ?? entry.target?.count ?? 0, linkTarget: entry.target,
            modified: entry.status?.modified ?? 0)
    }
}
