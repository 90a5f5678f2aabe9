internal import CLinux
internal import Glibc

/// Who may use a directory, in a form that can be stored and applied to another one; see inode(7) and acl(5).
///
/// `favorites/` is recreated with the permissions that it had.
package struct DirectoryPermissions: Hashable, Codable, Sendable {
    package let group: UInt32
    package let mode: UInt32
    /// The extended attributes `system.posix_acl_access` and `system.posix_acl_default`; empty if missing.
    package let accessList: [UInt8]
    package let defaultList: [UInt8]

    package init(group: UInt32, mode: UInt32, accessList: [UInt8], defaultList: [UInt8]) {
        self.group = group
        self.mode = mode
        self.accessList = accessList
        self.defaultList = defaultList
    }

    fileprivate static let accessAttribute = "system.posix_acl_access"
    fileprivate static let defaultAttribute = "system.posix_acl_default"
}

// MARK: User namespaces

extension DirectoryPermissions {
    /// These permissions; `nil` if the group or an ID of the lists has no number in this user namespace.
    ///
    /// The kernel shows the overflow ID instead, by which nobody can know who may write; see user_namespaces(7).
    package var ifMapped: DirectoryPermissions? {
        let named = (ACLEntry.all(in: accessList) + ACLEntry.all(in: defaultList))
            .filter(\.isNamed)
        let isMapped = named.allSatisfy { $0.id != ACLEntry.noID && $0.id != Self.overflowID }
        return isMapped && group != Self.overflowID ? self : nil
    }

    /// The overflow ID of groups; the overflow ID of users is the same, unless somebody changed one of them.
    private static let overflowID: UInt32 = {
        let text = FileDescriptor.kernelFile("/proc/sys/kernel/overflowgid")
        return text.flatMap { UInt32($0.prefix { !$0.isWhitespace }) } ?? 65_534
    }()
}

// MARK: Who may write

extension DirectoryPermissions {
    /// Creating and removing files needs both write and search permission.
    package var groupMayWrite: Bool {
        let entry = entries.first { $0.tag == ACLEntry.group }
        return entry.map { maskMayWrite && $0.mayWrite } ?? (mode & 0o030 == 0o030)
    }

    /// If there is a list, the group bits of the mode are its mask, which limits all but owner and others.
    private var maskMayWrite: Bool { entries.first { $0.tag == ACLEntry.mask }?.mayWrite ?? true }

    private var entries: [ACLEntry] { ACLEntry.all(in: accessList) }

    /// The access list, or the mode as one, in which ``group`` is named with the rights of the owning group.
    fileprivate var entriesNamingGroup: [ACLEntry] {
        let all =
            entries.isEmpty
            ? [
                ACLEntry(tag: ACLEntry.owner, rights: mode >> 6 & 7),
                ACLEntry(tag: ACLEntry.group, rights: mode >> 3 & 7),
                ACLEntry(tag: ACLEntry.mask, rights: mode >> 3 & 7),
                ACLEntry(tag: ACLEntry.others, rights: mode & 7),
            ] : entries
        // The kernel accepts named groups only after the owning group.
        return all.flatMap { entry in
            entry.tag == ACLEntry.group
                ? [entry, ACLEntry(tag: ACLEntry.namedGroup, rights: entry.rights, id: group)]
                : [entry]
        }
    }
}

extension Directory {
    package func permissions() throws(SystemError) -> DirectoryPermissions {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(descriptor.rawValue, &status) }
        return DirectoryPermissions(
            group: status.st_gid, mode: status.st_mode & 0o7777,
            accessList: descriptor.attributeBytes(DirectoryPermissions.accessAttribute) ?? [],
            defaultList: descriptor.attributeBytes(DirectoryPermissions.defaultAttribute) ?? [])
    }

    /// Applies the permissions of another directory to this new one, as far as this user may.
    ///
    /// The owner stays. If this user may not give the directory to the group, an access control list names the group.
    ///
    /// - Returns: Whether the group and all named users who could write in the other directory can do so here.
    package func apply(_ wanted: DirectoryPermissions) throws(SystemError) -> Bool {
        // Fails if this user is not in the group; a user ID of -1 keeps the owner: see chown(2).
        _ = fchown(descriptor.rawValue, uid_t.max, wanted.group)
        if fchmod(descriptor.rawValue, mode_t(wanted.mode)) != 0 {
            // A sandbox may forbid the set-group-ID bit; see RestrictSUIDSGID= in systemd.exec(5).
            try descriptor.setMode(wanted.mode & 0o1777, path: path)
        }
        setAccessLists(wanted.accessList, wanted.defaultList)
        let applied = try permissions()
        if applied == wanted { return true }
        guard wanted.groupMayWrite else { return applied.accessList == wanted.accessList }
        let list = ACLEntry.list(of: wanted.entriesNamingGroup)
        setAccessLists(list, wanted.defaultList.isEmpty ? list : wanted.defaultList)
        return try permissions().accessList == list
    }

    /// Opens the directory at `relative`; creates it and its missing parents for all who may write above.
    ///
    /// A new directory has the default access list of its parent or, if that has none, the parent's group,
    /// mode and access list; the umask of this process does not count.
    package func makeSharedDirectory(_ relative: some PathBytes) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, parent throws(SystemError) in
            // They are read before anything is created. If that failed later, the next call would use the directory without them.
            let permissions = try parent.permissions()
            let created = try createDirectory(path, mode: 0o777)
            if permissions.defaultList.isEmpty, let permissions = permissions.ifMapped {
                // This user can use the directory even without them.
                _ = try? created.apply(permissions)
            }
            return created
        }
    }

    /// Sets the lists; an empty list removes the attribute that the directory inherited.
    private func setAccessLists(_ accessList: [UInt8], _ defaultList: [UInt8]) {
        let lists = [
            (DirectoryPermissions.accessAttribute, accessList),
            (DirectoryPermissions.defaultAttribute, defaultList),
        ]
        for (name, list) in lists {
            _ = unsafe clinux_set_attribute(descriptor.rawValue, name, list, list.count)
        }
    }
}

/// An entry of an access control list in the kernel's format; see `linux/posix_acl_xattr.h`.
///
/// A list is its version in four bytes, then eight bytes an entry: tag, rights, ID.
struct ACLEntry {
    static let owner: UInt32 = 0x01
    static let user: UInt32 = 0x02
    static let group: UInt32 = 0x04
    static let namedGroup: UInt32 = 0x08
    static let mask: UInt32 = 0x10
    static let others: UInt32 = 0x20

    private static let version: UInt32 = 2
    /// The ID of entries that name nobody.
    static let noID = UInt32.max

    let tag: UInt32
    /// The bits of a mode: 4 for read, 2 for write, 1 for search.
    let rights: UInt32
    var id: UInt32 = noID

    /// Whether both write and search are allowed, which creating and removing files needs.
    var mayWrite: Bool { rights & 3 == 3 }

    /// Whether the entry names one user or one group by its ID.
    var isNamed: Bool { tag == Self.user || tag == Self.namedGroup }

    /// Parses a list; one of another version has no entries.
    static func all(in bytes: [UInt8]) -> [ACLEntry] {
        guard bytes.count >= 4, number(bytes[..<4]) == version else { return [] }
        return stride(from: 4, through: bytes.count - 8, by: 8).map { start in
            ACLEntry(
                tag: number(bytes[start..<start + 2]),
                rights: number(bytes[start + 2..<start + 4]),
                id: number(bytes[start + 4..<start + 8]))
        }
    }

    static func list(of entries: [ACLEntry]) -> [UInt8] {
        entries.reduce(into: bytes(version, count: 4)) { list, entry in
            list += bytes(entry.tag, count: 2)
            list += bytes(entry.rights, count: 2)
            list += bytes(entry.id, count: 4)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32, count: UInt32) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
