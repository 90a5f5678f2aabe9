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
    /// Seconds since 1970; zero for symbolic links.
    package let modified: Int
    /// The exact times of the modification and the last change of a file; `nil` for other items.
    var times: Times?

    struct Times: Hashable, Sendable {
        let modified: Duration
        let changed: Duration
    }
}

extension ScannedItem {
    /// `nil` if the path of `entry` has a part that is no name.
    init?(_ entry: DirectoryListing.ListedItem) {
        guard let name = FavoriteName(entry.path) else { return nil }
        let status = entry.status
        self.init(
            name: name, kind: entry.kind, identity: entry.identity, size: status?.size ?? 0,
            linkTarget: entry.target.map(Array.init), modified: status?.modified ?? 0,
            times: entry.status.map {
                Times(modified: $0.exactlyModified, changed: $0.exactlyChanged)
            })
    }

    /// Whether the last change of the file was more than two seconds before or after `now`, in seconds since 1970.
    ///
    /// Within one tick of the kernel's clock, a second change would have the same time.
    func isSettled(at now: Int) -> Bool {
        // A user can set any time: a difference could overflow.
        !(now - 2...now + 2).contains(Int(times?.changed.components.seconds ?? Int64(modified)))
    }
}
