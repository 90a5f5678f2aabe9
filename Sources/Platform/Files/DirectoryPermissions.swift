/// The permissions of a directory: owner, group, mode and access control list; see inode(7) and acl(5).
package struct DirectoryPermissions: Hashable, Sendable {
    /// A user or a group that the list names.
    package enum Named: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
    }

    package let owner: UInt32
    package let group: UInt32
    package let mode: UInt32
    /// The users and groups that the list allows to create and remove files.
    package let namedWriters: [Named]
    private let groupEntry: Bool?

    /// `list` is the extended attribute `system.posix_acl_access`.
    init(owner: UInt32, group: UInt32, mode: UInt32, list: [UInt8]?) {
        self.owner = owner
        self.group = group
        self.mode = mode
        let entries = ACLEntry.all(in: list ?? [])
        // With a list, the group bits of the mode are the mask, which limits all but owner and others.
        let mask = entries.first { $0.tag == ACLEntry.mask }?.mayWrite ?? true
        namedWriters = entries.compactMap { mask && $0.mayWrite ? $0.named : nil }
        groupEntry = entries.first { $0.tag == ACLEntry.group }.map { mask && $0.mayWrite }
    }

    /// Creating and removing files needs both write and search permission.
    package var ownerMayWrite: Bool { mode & 0o300 == 0o300 }
    package var groupMayWrite: Bool { groupEntry ?? (mode & 0o030 == 0o030) }
    package var othersMayWrite: Bool { mode & 0o003 == 0o003 }
    package var isSticky: Bool { mode & 0o1000 != 0 }
}

/// An entry of an access control list in the kernel's format; see `linux/posix_acl_xattr.h`.
private struct ACLEntry {
    static let user: UInt32 = 0x02
    static let group: UInt32 = 0x04
    static let namedGroup: UInt32 = 0x08
    static let mask: UInt32 = 0x10

    let tag: UInt32
    let mayWrite: Bool
    let id: UInt32

    /// Parses a list of version 2; other versions have no entries.
    static func all(in bytes: [UInt8]) -> [ACLEntry] {
        guard bytes.count >= 4, number(bytes[..<4]) == 2 else { return [] }
        return stride(from: 4, through: bytes.count - 8, by: 8).map { start in
            ACLEntry(
                tag: number(bytes[start..<start + 2]),
                mayWrite: number(bytes[start + 2..<start + 4]) & 3 == 3,
                id: number(bytes[start + 4..<start + 8]))
        }
    }

    var named: DirectoryPermissions.Named? {
        switch tag {
        case Self.user: .user(id)
        case Self.namedGroup: .group(id)
        default: nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
