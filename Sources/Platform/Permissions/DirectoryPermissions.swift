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

    private var entries: [ACLEntry] { ACLEntry.entries(of: accessList) }

    // MARK: Rights of the group

    /// Whether the group may create and remove files, for which it needs the permissions to write and to search.
    package var groupMayWrite: Bool {
        guard let groupEntry = entries.first(where: { $0.tag == ACLEntry.group }) else {
            let groupWriteAndSearch: UInt32 = 0o030
            return mode & groupWriteAndSearch == groupWriteAndSearch
        }
        // The mask limits the rights of everybody but the owner and others.
        let mask = entries.first { $0.tag == ACLEntry.mask }
        return groupEntry.mayWrite && (mask?.mayWrite ?? true)
    }

    /// An access list for a directory of another group, in which ``group`` is to have the same rights as here.
    ///
    /// It has one entry more than the list of this directory: ``group`` is named, with the rights of the owning group.
    var accessListNamingGroup: [UInt8] {
        let own = entries.isEmpty ? ACLEntry.entries(ofMode: mode) : entries
        // The kernel accepts named groups only after the owning group.
        let extended = own.flatMap { entry in
            entry.tag == ACLEntry.group
                ? [entry, ACLEntry(tag: ACLEntry.namedGroup, rights: entry.rights, id: group)]
                : [entry]
        }
        return ACLEntry.list(of: extended)
    }

    // MARK: Containers

    /// Whether a group or a user has no ID in the user namespace of this process, such as a container.
    ///
    /// The kernel then shows the overflow ID, which may stand for anybody; see user_namespaces(7).
    var hasUnknownIDs: Bool {
        let namedIDs = (entries + ACLEntry.entries(of: defaultList)).filter(\.isNamed).map(\.id)
        return group == Self.overflowID
            || !Set(namedIDs).isDisjoint(with: [ACLEntry.noID, Self.overflowID])
    }

    /// The overflow ID of groups; that of users is the same number, unless an administrator changed one of them.
    private static let overflowID: UInt32 = {
        let text = FileDescriptor.kernelFile("/proc/sys/kernel/overflowgid")
        let defaultOfLinux: UInt32 = 65_534
        return text.flatMap { UInt32($0.prefix { !$0.isWhitespace }) } ?? defaultOfLinux
    }()
}
