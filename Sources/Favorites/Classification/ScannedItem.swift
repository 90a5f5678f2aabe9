package import Platform

/// An item in `favorites/` as lstat(2) and readlink(2) describe it.
package struct ScannedItem: Hashable, Sendable {
    package let name: FavoriteName
    package let kind: FileStatus.FileType
    package let identity: FileIdentity
    /// In bytes.
    package let size: Int
    /// The text of a symbolic link, empty if it is too long; `nil` for other items.
    package let linkTarget: [UInt8]?
    /// The times of the modification and of the last change since 1970; zero for symbolic links.
    var modified = Duration.zero
    var changed = Duration.zero
}

extension ScannedItem {
    /// `nil` if the path of `entry` has a part that is no name.
    init?(_ entry: DirectoryListing.ListedItem) {
        guard let name = FavoriteName(entry.path) else { return nil }
        let status = entry.status
        self.init(
            name: name, kind: entry.kind, identity: entry.identity, size: status?.size ?? 0,
            linkTarget: entry.target.map(Array.init), modified: status?.exactlyModified ?? .zero,
            changed: status?.exactlyChanged ?? .zero)
    }

    /// Whether the last change of the file was more than two seconds before or after `now`, in seconds since 1970.
    ///
    /// Within one tick of the kernel's clock, a second change would have the same time.
    func isSettled(at now: Int) -> Bool {
        // A user can set any time: a difference could overflow.
        !(now - 2...now + 2).contains(Int(changed.components.seconds))
    }
}
