internal import APOD

/// Names that operating systems and NAS give to their own items in any folder, such as `lost+found` and `@eaDir`.
package enum SystemNames {
    /// Whether the name, without slashes, is one of an operating system or NAS, in capitals or not.
    package static func contains(_ name: some Sequence<UInt8>) -> Bool {
        let name = name.map(\.lowercased)
        return names.contains(name) || name.starts(with: ".trash-".utf8)
    }

    /// What file systems, Linux, Windows, macOS, Synology and QNAP make: trash, snapshots, thumbnails and indexes.
    private static let names = Set(
        [
            "lost+found", "system volume information", "$recycle.bin", "recycler", "recycle bin",
            "#recycle", "@recycle", "@recently-snapshot", "@eadir", "@tmp", "#snapshot",
            "~snapshot", "network trash folder", "temporary items", ".ds_store", ".trashes",
            ".fseventsd", ".spotlight-v100",
        ].map { Array($0.utf8) })
}
