internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last complete scan, as `.apod-mirror/favorites/folder.json` records it.
///
/// Each scan compares it with the directory that it finds. Only in the same one, a missing item may mean that a person removed
/// the favorite. In any other one, such as an empty mount point, a missing item proves nothing, and its favorite stays.
package struct ScannedDirectory: Hashable, Codable, Sendable {
    /// What tells the directory from all others, even after a restart of the machine.
    package var identity: DirectoryIdentity
    /// If the directory is lost, a new one is made with these permissions; `nil` if they could not be read.
    package var permissions: DirectoryPermissions?
    /// The ``Scan/unreadFolders`` of that scan; `nil` if there were none.
    package var unread: [String: String]?

    /// The keys in `folder.json`.
    private enum CodingKeys: String, CodingKey {
        case identity = "place"
        case permissions, unread
    }
}

extension FavoriteStore {
    private static let scannedDirectoryFile = "folder.json"

    /// The directory of the last complete scan; `nil` if there was none, or if the file is damaged.
    ///
    /// - Throws: ``SystemError`` if the file may be there but cannot be read now. It must not count as missing: then the scanned
    ///   directory would seem to be another one, and favorites that a person has removed would stay.
    package func lastScannedDirectory() throws(SystemError) -> ScannedDirectory? {
        try tree.state(at: "\(Self.folder)/\(Self.scannedDirectoryFile)")
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try AtomicFile.publish(
            directory.stateDocument, in: tree.root.makeDirectory(Self.folder),
            as: Self.scannedDirectoryFile, through: tree.root.makeDirectory(Layout.incoming))
    }
}
