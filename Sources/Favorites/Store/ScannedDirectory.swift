internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last complete scan, as `.apod-mirror/favorites/folder.json` records it.
///
/// A favorite without an item is removed only if the scanned directory is still this one: on another one, such as an empty
/// mount point, nothing can be concluded from what is missing.
package struct ScannedDirectory: Hashable, Codable, Sendable {
    package var place: DirectoryIdentity
    /// If the directory is lost, a new one is made with these permissions; `nil` if they could not be read.
    package var permissions: DirectoryPermissions?
}

extension FavoriteStore {
    static let directoryName = "folder.json"
    /// The path at which `favorites/` is made again, before it is renamed to its own path.
    static let newFolder = "\(folder)/new folder"

    /// The directory of the last complete scan; `nil` if there was none, or if the file is damaged.
    ///
    /// - Throws: ``SystemError`` if the file may be there but cannot be read now. Taking it for missing would hold favorites
    ///   that a person has removed: see ``Scan/isComparable``.
    package func lastScannedDirectory() throws(SystemError) -> ScannedDirectory? {
        try tree.state(at: "\(Self.folder)/\(Self.directoryName)")
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try AtomicFile.publish(
            directory.stateDocument, in: tree.root.makeDirectory(Self.folder),
            as: Self.directoryName, through: tree.root.makeDirectory(Layout.incoming))
    }
}
