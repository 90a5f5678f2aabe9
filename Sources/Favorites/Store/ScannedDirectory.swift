internal import JSON
internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last complete scan: `.apod-mirror/favorites/folder.json`.
package struct ScannedDirectory: Hashable, Sendable {
    package var place: DirectoryIdentity
    /// Given to the directory that is made if this one is missing.
    package var permissions: DirectoryAccess?
    /// The folders inside where another file system was mounted.
    package var mounts: Set<FavoriteName> = []

    /// The folders whose file system is not mounted any more: favorites in them may still exist.
    func unmounted(in scan: Scan) -> Set<[UInt8]> {
        Set(mounts.map(\.bytes)).subtracting(scan.mounts)
    }
}

extension FavoriteStore {
    private static let directoryName = "folder.json"

    /// The directory of the last complete scan, `nil` if it is not known.
    package func lastScannedDirectory() -> ScannedDirectory? {
        let bytes = try? tree.root.read("\(Self.folder)/\(Self.directoryName)", limit: 1 << 20)
        return bytes.flatMap { try? JSON(parsing: $0) }.flatMap(ScannedDirectory.init)
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try publish(directory.json, in: Self.folder, as: Self.directoryName)
    }
}

extension ScannedDirectory {
    fileprivate var json: JSON {
        [
            "inode": .string("\(place.inode)"),
            "origin": .string(place.origin),
            "group": permissions.map { .integer(Int($0.group)) },
            "mode": permissions.map { .integer(Int($0.mode)) },
            "access_list": permissions.map { .array($0.accessList.map { .integer(Int($0)) }) },
            "default_list": permissions.map { .array($0.defaultList.map { .integer(Int($0)) }) },
            "mounts": mounts.isEmpty ? nil : .array(mounts.sorted().map { .string($0.escaped) }),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let inode = json["inode"]?.string.flatMap({ UInt($0) }),
            let origin = json["origin"]?.string
        else { return nil }
        place = DirectoryIdentity(inode: inode, origin: origin)
        let names = json["mounts"]?.elements ?? []
        mounts = Set(names.compactMap { $0.string.flatMap(FavoriteName.init(escaped:)) })
        guard let group = json["group"]?.integer, let mode = json["mode"]?.integer else { return }
        permissions = DirectoryAccess(
            group: UInt32(truncatingIfNeeded: group),
            mode: UInt32(truncatingIfNeeded: mode) & 0o7777,
            accessList: Self.bytes(json["access_list"]),
            defaultList: Self.bytes(json["default_list"]))
    }

    private static func bytes(_ json: JSON?) -> [UInt8] {
        (json?.elements ?? []).map { UInt8(truncatingIfNeeded: $0.integer ?? 0) }
    }
}
