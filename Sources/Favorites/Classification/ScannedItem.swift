package import Platform

/// One thing that lies in `favorites/`, as lstat(2) and readlink(2) tell of it.
package struct ScannedItem: Hashable, Sendable {
    package let name: FavoriteName
    package let kind: FileStatus.Kind
    package let identity: FileIdentity
    /// In bytes.
    package let size: Int
    /// Where a symbolic link leads, as it was written.
    package let linkTarget: ArraySlice<UInt8>?
    /// Seconds since 1970.
    package let modified: Int

    package init(
        name: FavoriteName, kind: FileStatus.Kind, identity: FileIdentity, size: Int,
        linkTarget: ArraySlice<UInt8>?, modified: Int
    ) {
        self.name = name
        self.kind = kind
        self.identity = identity
        self.size = size
        self.linkTarget = linkTarget
        self.modified = modified
    }
}
