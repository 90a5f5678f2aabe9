internal import CLinux
internal import Glibc

/// Who may read and write a directory, in a form that can be stored and given to another directory; see inode(7) and acl(5).
///
/// If `favorites/` is lost, the daemon makes it again with the permissions that it had.
package struct DirectoryPermissions: Hashable, Codable, Sendable {
    package let group: UInt32
    package let mode: UInt32
    /// The access control list, as the kernel stores it: the extended attribute `system.posix_acl_access`; empty if none.
    package let accessList: [UInt8]
    /// The list that new files in the directory get: the extended attribute `system.posix_acl_default`; empty if none.
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

extension DirectoryPermissions {
    /// Whether a group or a user has no ID in the user namespace of this process, such as a container.
    ///
    /// The kernel then shows the overflow ID, which may stand for anybody; see user_namespaces(7).
    package var hasUnknownIDs: Bool {
        let named = (ACLEntry.entries(of: accessList) + ACLEntry.entries(of: defaultList))
            .filter(\.isNamed)
        return group == Self.overflowID
            || named.contains { $0.id == ACLEntry.noID || $0.id == Self.overflowID }
    }

    /// The overflow ID of groups; that of users is the same number, unless an administrator changed one of them.
    private static let overflowID: UInt32 = {
        let text = FileDescriptor.kernelFile("/proc/sys/kernel/overflowgid")
        return text.flatMap { UInt32($0.prefix { !$0.isWhitespace }) } ?? 65_534
    }()
}

extension DirectoryPermissions {
    /// Whether the group may create and remove files, for which it needs the permissions to write and to search.
    package var groupMayWrite: Bool {
        let entry = entries.first { $0.tag == ACLEntry.group }
        return entry.map { maskMayWrite && $0.mayWrite } ?? (mode & 0o030 == 0o030)
    }

    /// Whether the mask of the list allows writing; it limits the rights of everybody but the owner and others.
    private var maskMayWrite: Bool { entries.first { $0.tag == ACLEntry.mask }?.mayWrite ?? true }

    private var entries: [ACLEntry] { ACLEntry.entries(of: accessList) }

    /// The access list with one entry more: ``group`` is named, and has the rights of the owning group.
    ///
    /// In a directory that another group owns, ``group`` then has the same rights as in this one.
    fileprivate var entriesNamingGroup: [ACLEntry] {
        let all = entries.isEmpty ? ACLEntry.entries(ofMode: mode) : entries
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

    /// Gives this new directory the permissions that another one had, as far as this user may do that.
    ///
    /// The owner stays. If this user may not give the directory to the group, an access control list names the group.
    ///
    /// - Returns: Whether all users who could write in the other directory can write here.
    package func apply(_ wanted: DirectoryPermissions) throws(SystemError) -> Bool {
        try setGroupAndMode(of: wanted)
        setAccessLists(wanted.accessList, wanted.defaultList)
        let applied = try permissions()
        if applied == wanted { return true }
        // Without rights of the group, only the users and groups in the access list may write besides the owner.
        guard wanted.groupMayWrite else { return applied.accessList == wanted.accessList }
        let list = ACLEntry.list(of: wanted.entriesNamingGroup)
        setAccessLists(list, wanted.defaultList.isEmpty ? list : wanted.defaultList)
        return try permissions().accessList == list
    }

    /// Sets the group if this user is in it, and the mode without the bits that this user may not set.
    private func setGroupAndMode(of wanted: DirectoryPermissions) throws(SystemError) {
        // A user ID of -1 keeps the owner, see chown(2).
        _ = fchown(descriptor.rawValue, uid_t.max, wanted.group)
        if fchmod(descriptor.rawValue, mode_t(wanted.mode)) != 0 {
            // A sandbox may forbid the bits set-user-ID and set-group-ID; see RestrictSUIDSGID= in systemd.exec(5).
            try descriptor.setMode(wanted.mode & 0o1777, path: path)
        }
    }

    /// Opens the directory at `relative`, or creates it and its missing parents with the permissions of the directory above.
    ///
    /// If the parent of a new directory has a default access list, the kernel applies that list. Otherwise the new directory
    /// gets the parent's group, mode and access list, whatever the umask of this process is.
    package func makeSharedDirectory(_ relative: some PathBytes) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, parent throws(SystemError) in
            // They are read before anything is created: after an error, the next call would use the directory without them.
            let permissions = try parent.permissions()
            let created = try createDirectory(path, mode: 0o777)
            if permissions.defaultList.isEmpty, !permissions.hasUnknownIDs {
                // If this fails, this user can use the directory all the same.
                _ = try? created.apply(permissions)
            }
            return created
        }
    }

    /// Sets the two lists; an empty list replaces one that the directory inherited from its parent.
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
