internal import JSON
internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last complete scan: `.apod-mirror/favorites/folder.json`.
package struct ScannedDirectory: Hashable, Sendable {
    package var place: DirectoryIdentity
    /// Given to the directory that is made if this one is missing.
    package var permissions: DirectoryPermissions?
    /// The folders inside where a disk was mounted, with its identity; ``DirectoryIdentity/unknown`` where
    /// favorites are on several disks, or on one that cannot be told from others.
    package var mounts: [[UInt8]: DirectoryIdentity] = [:]
    /// Whether `favorites/` is created again, and may not have its links and its permissions yet.
    package var isUnfinished = false

    /// The folders where another disk is mounted than before, or none any more, or one for the first time:
    /// favorites that were found below may still exist.
    func changedMounts(in scan: Scan) -> Set<[UInt8]> {
        Set(mounts.keys).union(scan.mounts.keys).filter { path in
            mounts[path] != scan.mounts[path] || mounts[path] == DirectoryIdentity.unknown
        }
    }
}

extension FavoriteStore {
    private static let directoryName = "folder.json"

    /// The directory of the last complete scan, `nil` if it is not known.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: missing favorites would be held.
    package func lastScannedDirectory() throws(SystemError) -> ScannedDirectory? {
        try json(at: "\(Self.folder)/\(Self.directoryName)").flatMap(ScannedDirectory.init)
    }

    package func write(_ directory: ScannedDirectory) throws(SystemError) {
        try publish(directory.json, in: Self.folder, as: Self.directoryName)
    }
}

extension ScannedDirectory {
    fileprivate var json: JSON {
        let json: JSON = [
            "group": permissions.map { .integer(Int($0.group)) },
            "mode": permissions.map { .integer(Int($0.mode)) },
            "access_list": permissions.map { .array($0.accessList.map { .integer(Int($0)) }) },
            "default_list": permissions.map { .array($0.defaultList.map { .integer(Int($0)) }) },
            "unfinished": isUnfinished ? true : nil,
            "mounts": mounts.isEmpty ? nil : .array(mountNames.map { .string($0.escaped) }),
            "disks": mounts.isEmpty ? nil : .array(mountNames.compactMap { disk(at: $0) }),
        ]
        return .object(place.json.members + json.members)
    }

    private var mountNames: [FavoriteName] { mounts.keys.compactMap { FavoriteName($0) }.sorted() }

    private func disk(at name: FavoriteName) -> JSON? {
        guard let disk = mounts[name.bytes], disk != DirectoryIdentity.unknown else { return nil }
        return .object([.init(key: "path", value: .string(name.escaped))] + disk.json.members)
    }

    fileprivate init?(_ json: JSON) {
        guard let identity = DirectoryIdentity(json) else { return nil }
        place = identity
        isUnfinished = json["unfinished"]?.bool ?? false
        for path in json["mounts"]?.elements ?? [] {
            if let name = Self.name(path) { mounts[name.bytes] = DirectoryIdentity.unknown }
        }
        // Older versions wrote the paths only.
        for disk in json["disks"]?.elements ?? [] {
            if let name = disk["path"].flatMap(Self.name) {
                mounts[name.bytes] = DirectoryIdentity(disk) ?? DirectoryIdentity.unknown
            }
        }
        guard let group = json["group"]?.integer, let mode = json["mode"]?.integer else { return }
        permissions = DirectoryPermissions(
            group: UInt32(truncatingIfNeeded: group),
            mode: UInt32(truncatingIfNeeded: mode) & 0o7777,
            accessList: Self.bytes(json["access_list"]),
            defaultList: Self.bytes(json["default_list"]))
    }

    private static func name(_ json: JSON) -> FavoriteName? {
        json.string.flatMap { FavoriteName(escaped: $0) }
    }

    private static func bytes(_ json: JSON?) -> [UInt8] {
        (json?.elements ?? []).map { UInt8(truncatingIfNeeded: $0.integer ?? 0) }
    }
}

extension DirectoryIdentity {
    fileprivate var json: JSON {
        ["inode": .string("\(inode)"), "origin": .string(origin)]
    }

    fileprivate init?(_ json: JSON) {
        guard let inode = json["inode"]?.string.flatMap({ UInt($0) }),
            let origin = json["origin"]?.string
        else { return nil }
        self.init(inode: inode, origin: origin)
    }
}
