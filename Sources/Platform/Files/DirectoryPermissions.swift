internal import CLinux
internal import Glibc

/// Who may use a directory, in a form that can be stored and applied to another one; see inode(7) and acl(5).
///
/// `favorites/` is recreated with those that it had, and `doctor` says who may add favorites.
package struct DirectoryPermissions: Hashable, Codable, Sendable {
    package let group: UInt32
    package let mode: UInt32
    /// The extended attributes `system.posix_acl_access` and `system.posix_acl_default`; empty if missing.
    ///
    /// They are copied as they are.
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

// MARK: Who may write

extension DirectoryPermissions {
    /// Creating and removing files needs both write and search permission.
    package var ownerMayWrite: Bool { mode & 0o300 == 0o300 }
    /// With an access list, these bits are the most that it gives to any group.
    package var groupMayWrite: Bool { mode & 0o030 == 0o030 }
    package var othersMayWrite: Bool { mode & 0o003 == 0o003 }
    package var isSticky: Bool { mode & 0o1000 != 0 }
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

    /// Applies the permissions of another directory to this new one, as far as this user may; the owner stays.
    ///
    /// - Returns: Whether it has all of them.
    package func apply(_ wanted: DirectoryPermissions) throws(SystemError) -> Bool {
        // Fails if this user is not in the group; a user ID of -1 keeps the owner: see chown(2).
        _ = fchown(descriptor.rawValue, uid_t.max, wanted.group)
        if fchmod(descriptor.rawValue, mode_t(wanted.mode)) != 0 {
            // A sandbox may forbid the set-group-ID bit; see RestrictSUIDSGID= in systemd.exec(5).
            try descriptor.setMode(wanted.mode & 0o1777, path: path)
        }
        let lists = [
            (DirectoryPermissions.accessAttribute, wanted.accessList),
            (DirectoryPermissions.defaultAttribute, wanted.defaultList),
        ]
        for (name, list) in lists where !list.isEmpty {
            _ = unsafe clinux_set_attribute(descriptor.rawValue, name, list, list.count)
        }
        return try permissions() == wanted
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
}
