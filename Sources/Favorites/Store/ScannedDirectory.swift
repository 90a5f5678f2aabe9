internal import JSON
internal import Mirror
package import Platform

/// The directory that was `favorites/` in the last complete scan: `.apod-mirror/favorites/folder.json`.
package struct ScannedDirectory: Hashable, Sendable {
    package var place: DirectoryIdentity
    /// Given to the directory that is made if this one is missing.
    package var permissions: DirectoryPermissions?
    /// Whether `favorites/` is created again, and may not have its links and its permissions yet.
    package var isUnfinished = false
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
        try publish(
            directory.json, in: tree.root.makeDirectory(Self.folder), as: Self.directoryName)
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
        ]
        return .object(place.json.members + json.members)
    }

    fileprivate init?(_ json: JSON) {
        guard let identity = DirectoryIdentity(json) else { return nil }
        place = identity
        isUnfinished = json["unfinished"]?.bool ?? false
        guard let group = json["group"]?.integer, let mode = json["mode"]?.integer else { return }
        permissions =
            DirectoryPermissions(
                group: UInt32(truncatingIfNeeded: group),
                mode: UInt32(truncatingIfNeeded: mode) & 0o7777,
                accessList: Self.bytes(json["access_list"]),
                defaultList: Self.bytes(json["default_list"])
            ).ifMapped
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
