internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last full scan: `.apod-mirror/favorites/folder.json`.
package struct ScannedDirectory: Hashable, Codable, Sendable {
    package var place: DirectoryIdentity
    /// Given to the directory that is made if this one is missing.
    package var permissions: DirectoryPermissions?
}

extension FavoriteStore {
    static let directoryName = "folder.json"
    /// The path of a new `favorites/` until it has its links.
    static let newFolder = "\(folder)/new folder"

    /// The directory of the last full scan; `nil` if it is not known.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: missing favorites would be held.
    package func lastScannedDirectory() throws(SystemError) -> ScannedDirectory? {
        try tree.state(at: "\(Self.folder)/\(Self.directoryName)")
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try AtomicFile.publish(
            directory.stateDocument, in: tree.root.makeDirectory(Self.folder),
            as: Self.directoryName, through: tree.root.makeDirectory(Layout.incoming))
    }
}
