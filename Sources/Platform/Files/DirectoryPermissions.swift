internal import CLinux
internal import Glibc

/// Who may use a directory, in a form that can be stored and applied to another one; see inode(7) and acl(5).
///
/// `favorites/` is recreated with those that it had, and `doctor` says who may add favorites.
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

extension DirectoryPermissions {
    /// Whether the mode lets the group create and remove files, which needs both write and search permission.
    ///
    /// `false` with an access list, which is not read: its mask is in place of the rights of the group.
    package var groupMayWrite: Bool { accessList.isEmpty && mode & 0o030 == 0o030 }
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

    /// Applies the permissions of another directory to this new one, whose owner stays.
    ///
    /// If this user may not give it to the group, only lists make it writable for others, and nothing is changed without.
    ///
    /// - Returns: Whether those who could write in the other directory can do so here.
    package func apply(_ wanted: DirectoryPermissions) throws(SystemError) -> Bool {
        // A user ID of -1 keeps the owner: see chown(2).
        let hasGroup = fchown(descriptor.rawValue, uid_t.max, wanted.group) == 0
        guard hasGroup || !wanted.accessList.isEmpty else { return false }
        if fchmod(descriptor.rawValue, mode_t(wanted.mode)) != 0 {
            // A sandbox may forbid the set-group-ID bit; see RestrictSUIDSGID= in systemd.exec(5).
            try descriptor.setMode(wanted.mode & 0o1777, path: path)
        }
        setAccessLists(wanted.accessList, wanted.defaultList)
        let applied = try permissions()
        guard applied != wanted else { return true }
        // Lists name who may write; a default list does for new directories what that bit does.
        let lists = [wanted.accessList, wanted.defaultList]
        return [applied.accessList, applied.defaultList] == lists && lists != [[], []]
    }

    /// Opens the directory at `relative`; creates it and its missing parents for all who may write above.
    ///
    /// A new directory has the default access list of its parent or, if that has none, the parent's group,
    /// mode and access list; the umask of this process does not count.
    package func makeSharedDirectory(_ relative: some PathBytes) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, parent throws(SystemError) in
            // Before anything is created: a directory without them would be found and used at the next call.
            let permissions = try parent.permissions()
            let created = try createDirectory(path, mode: 0o777)
            if permissions.defaultList.isEmpty {
                // Without them the directory is still usable for this user.
                _ = try? created.apply(permissions)
            }
            return created
        }
    }

    package func setMode(_ mode: UInt32) throws(SystemError) {
        try descriptor.setMode(mode, path: path)
    }

    /// Sets the lists that are not empty; the others stay.
    private func setAccessLists(_ accessList: [UInt8], _ defaultList: [UInt8]) {
        let lists = [
            (DirectoryPermissions.accessAttribute, accessList),
            (DirectoryPermissions.defaultAttribute, defaultList),
        ]
        for (name, list) in lists where !list.isEmpty {
            _ = unsafe clinux_set_attribute(descriptor.rawValue, name, list, list.count)
        }
    }
}
