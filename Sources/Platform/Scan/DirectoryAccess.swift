internal import CLinux
internal import Glibc

/// The permissions of a directory in a form that can be applied to another one.
///
/// See inode(7) and acl(5).
package struct DirectoryAccess: Hashable, Sendable {
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

    fileprivate static let access = "system.posix_acl_access"
    fileprivate static let inherited = "system.posix_acl_default"
}

extension Directory {
    package func access() throws(SystemError) -> DirectoryAccess {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(rawDescriptor, &status) }
        return DirectoryAccess(
            group: status.st_gid, mode: status.st_mode & 0o7777,
            accessList: descriptor.attributeBytes(DirectoryAccess.access) ?? [],
            defaultList: descriptor.attributeBytes(DirectoryAccess.inherited) ?? [])
    }

    /// Applies the permissions of another directory, as far as this user may.
    ///
    /// A service that may not set the setgid bit gives the group write permission with an access control
    /// list.
    ///
    /// - Returns: Whether all users who could write there can write here.
    package func apply(_ permissions: DirectoryAccess) throws(SystemError) -> Bool {
        _ = fchown(rawDescriptor, uid_t.max, permissions.group)
        if fchmod(rawDescriptor, mode_t(permissions.mode)) != 0 {
            try descriptor.setMode(permissions.mode & 0o1777, path: path)
        }
        setAccessLists(permissions.accessList, permissions.defaultList)
        guard try self.access() != permissions else { return true }
        guard permissions.mode & 0o020 != 0, permissions.accessList.isEmpty else {
            return try self.access().accessList == permissions.accessList
        }
        let list = permissions.listForGroup
        setAccessLists(list, permissions.defaultList.isEmpty ? list : permissions.defaultList)
        return try !self.access().accessList.isEmpty
    }

    package func setMode(_ mode: UInt32) throws(SystemError) {
        try descriptor.setMode(mode, path: path)
    }

    private func setAccessLists(_ accessList: [UInt8], _ defaultList: [UInt8]) {
        let lists = [
            (DirectoryAccess.access, accessList), (DirectoryAccess.inherited, defaultList),
        ]
        for (name, list) in lists where !list.isEmpty {
            _ = unsafe clinux_set_attribute(rawDescriptor, name, list, list.count)
        }
    }
}

extension DirectoryAccess {
    /// The mode as an access control list that names the group, whatever group the directory has; see
    /// `linux/posix_acl_xattr.h`.
    fileprivate var listForGroup: [UInt8] {
        let nobody = UInt32.max
        let entries: [(tag: UInt16, mode: UInt32, id: UInt32)] = [
            (0x01, mode >> 6, nobody), (0x04, mode >> 3, nobody), (0x08, mode >> 3, group),
            (0x10, mode >> 3, nobody), (0x20, mode, nobody),
        ]
        return entries.reduce(into: [2, 0, 0, 0]) { bytes, entry in
            bytes += [UInt8(truncatingIfNeeded: entry.tag), 0, UInt8(entry.mode & 7), 0]
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
        }
    }
}
