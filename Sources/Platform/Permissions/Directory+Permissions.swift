internal import CLinux
internal import Glibc

/// Reads the permissions of a directory, and gives them to other directories.
extension Directory {
    /// The permissions of the directory; a list that cannot be read, as on a file system without lists, counts as empty.
    package func permissions() throws(SystemError) -> DirectoryPermissions {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(descriptor.rawValue, &status) }
        return DirectoryPermissions(
            group: status.st_gid, mode: status.st_mode & 0o7777,
            accessList: attribute(.accessList) ?? [], defaultList: attribute(.defaultList) ?? [])
    }

    /// Gives this new directory the permissions that another one had, as far as this user may do that.
    ///
    /// The owner stays. If this user may not give the directory to the group, an access control list names the group.
    ///
    /// - Returns: `false` if somebody who could write in the other directory may be unable to write here.
    package func apply(_ wanted: DirectoryPermissions) throws(SystemError) -> Bool {
        try setGroupAndMode(of: wanted)
        setAttribute(.accessList, wanted.accessList)
        setAttribute(.defaultList, wanted.defaultList)
        let applied = try permissions()
        if applied == wanted { return true }
        // If the group may not write, only the users and groups in the access list may, besides the owner.
        guard wanted.groupMayWrite else { return applied.accessList == wanted.accessList }
        let list = wanted.accessListNamingGroup
        setAttribute(.accessList, list)
        setAttribute(.defaultList, wanted.defaultList.isEmpty ? list : wanted.defaultList)
        return try permissions().accessList == list
    }

    /// Opens the directory at `relative`, or creates it and its missing parents with the permissions of the directory above.
    ///
    /// If the parent of a new directory has a default access list, the kernel applies that list. Otherwise the new directory
    /// gets the parent's group, mode and access list, whatever the umask of this process is.
    package func makeSharedDirectory(_ relative: some PathBytes) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, parent throws(SystemError) in
            // These are read before anything is created. If the error came later, the next call would find the directory, and
            // use it without the permissions.
            let permissions = try parent.permissions()
            let created = try createDirectory(path, mode: 0o777)
            if permissions.defaultList.isEmpty, !permissions.hasUnknownIDs {
                // If this fails, this user can use the directory all the same.
                _ = try? created.apply(permissions)
            }
            return created
        }
    }

    /// Sets the group if this user is in it, and the mode without the bits that this user may not set.
    private func setGroupAndMode(of wanted: DirectoryPermissions) throws(SystemError) {
        let sameOwner = uid_t.max
        _ = fchown(descriptor.rawValue, sameOwner, wanted.group)
        if fchmod(descriptor.rawValue, mode_t(wanted.mode)) != 0 {
            // A sandbox may forbid the bits set-user-ID and set-group-ID; see RestrictSUIDSGID= in systemd.exec(5).
            try descriptor.setMode(wanted.mode & 0o1777, path: path)
        }
    }

    // MARK: Access control lists

    /// The extended attributes with the lists of a directory; see xattr(7).
    private enum ListAttribute: String {
        case accessList = "system.posix_acl_access"
        case defaultList = "system.posix_acl_default"
    }

    /// The bytes of a list; `nil` if the directory has none, or if it cannot be read.
    private func attribute(_ name: ListAttribute) -> [UInt8]? {
        let maximumOfLinux = 64 << 10
        var buffer = [UInt8](repeating: 0, count: maximumOfLinux)
        let count = unsafe clinux_get_attribute(
            descriptor.rawValue, name.rawValue, &buffer, buffer.count)
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Sets a list; an empty one replaces a list that the directory inherited from its parent.
    private func setAttribute(_ name: ListAttribute, _ list: [UInt8]) {
        _ = unsafe clinux_set_attribute(descriptor.rawValue, name.rawValue, list, list.count)
    }
}
