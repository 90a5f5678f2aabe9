internal import JSON
internal import Mirror
internal import Platform

extension FavoriteStore.LastFolder {
    var json: JSON {
        [
            "inode": .string("\(place.inode)"),
            "origin": .string(place.origin),
            "group": permissions.map { .integer(Int($0.group)) },
            "mode": permissions.map { .integer(Int($0.mode)) },
            "access_list": permissions.map { .array($0.accessList.map { .integer(Int($0)) }) },
            "default_list": permissions.map { .array($0.defaultList.map { .integer(Int($0)) }) },
        ]
    }

    init?(_ json: JSON) {
        guard let inode = json["inode"]?.string.flatMap({ UInt($0) }) else { return nil }
        place = DirectoryIdentity(inode: inode, origin: json["origin"]?.string ?? "")
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

    /// Whether `other` is the same folder; an earlier program recorded no more than its inode.
    func isSame(as other: DirectoryIdentity) -> Bool {
        place == other || place.origin.isEmpty && place.inode == other.inode
    }
}
