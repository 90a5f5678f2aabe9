/// Who may read and write a directory: its group, mode and access control lists; see inode(7) and acl(5).
///
/// The daemon stores the permissions of `favorites/`. If the folder is lost, it makes the folder again with these permissions; see
/// ``Directory/permissions()`` and ``Directory/apply(_:)``.
package struct DirectoryPermissions: Hashable, Codable, Sendable {
    package let group: UInt32
    package let mode: UInt32
    /// The access control list, as the kernel stores it in the extended attribute `system.posix_acl_access`; empty if none.
    package let accessList: [UInt8]
    /// The list that new files in the directory get, from the extended attribute `system.posix_acl_default`; empty if none.
    package let defaultList: [UInt8]

    package init(group: UInt32, mode: UInt32, accessList: [UInt8], defaultList: [UInt8]) {
        self.group = group
        self.mode = mode
        self.accessList = accessList
        self.defaultList = defaultList
    }

    // MARK: Rights of the group

    /// Whether the group may create and remove files, for which it needs the permissions to write and to search.
    package var groupMayWrite: Bool {
        let list = AccessControlList(accessList)
        guard let entry = list[.group] else {
            return AccessControlList.Rights(rawValue: mode >> 3 & 7).mayChangeNames
        }
        // The mask limits the rights of everybody but the owner and others.
        return entry.rights.mayChangeNames && (list[.mask]?.rights.mayChangeNames ?? true)
    }

    /// An access list for a directory of another group, in which ``group`` is to have the same rights as here.
    ///
    /// It has one entry more than the list of this directory: ``group`` is named, with the rights of the owning group.
    var accessListNamingGroup: [UInt8] {
        var list = AccessControlList(accessList)
        if list.entries.isEmpty { list = AccessControlList(mode: mode) }
        list.nameGroup(group)
        return list.bytes
    }

    // MARK: Containers

    /// Whether a group or a user has no ID in the user namespace of this process, such as a container.
    ///
    /// The kernel then shows the overflow ID, which may stand for anybody; see user_namespaces(7).
    var hasUnknownIDs: Bool {
        let unknownIDs = [AccessControlList.Entry.noID, Self.overflowID]
        let entries = [accessList, defaultList].flatMap { AccessControlList($0).entries }
        return group == Self.overflowID
            || entries.contains { $0.isNamed && unknownIDs.contains($0.id) }
    }

    /// The overflow ID of groups; that of users is the same number, unless an administrator changed one of them.
    private static let overflowID: UInt32 = {
        let text = FileDescriptor.kernelFile("/proc/sys/kernel/overflowgid")
        let defaultOfLinux: UInt32 = 65_534
        return text.flatMap { UInt32($0.prefix { !$0.isWhitespace }) } ?? defaultOfLinux
    }()
}
