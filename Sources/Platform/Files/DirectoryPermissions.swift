internal import CLinux
internal import Glibc

/// The permissions of a directory in a form that can be applied to another one; see inode(7) and acl(5).
package struct DirectoryPermissions: Hashable, Codable, Sendable {
    /// A user or a group that the access list names.
    package enum Named: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
    }

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

// MARK: User namespaces

extension DirectoryPermissions {
    /// `nil` if the group, or a user or group of the lists, has no number in the user namespace of this process.
    ///
    /// The kernel shows the overflow ID instead, that of “nobody”, which says nothing about who may write; see
    /// user_namespaces(7).
    package var ifMapped: DirectoryPermissions? {
        let isMapped = (ACLEntry.all(in: accessList) + ACLEntry.all(in: defaultList))
            .compactMap(\.named).allSatisfy { named in
                switch named {
                case .user(let id), .group(let id): id != .max && id != Self.overflowID
                }
            }
        // mutant: overflow-group
        return isMapped && group != Self.overflowID ? self : nil
    }

    /// The same number for users and groups, unless somebody changed one of them.
    private static let overflowID: UInt32 = {
        let path = "/proc/sys/kernel/overflowgid"
        let bytes = try? FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: 100, path: path)
        let text = bytes.map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
        return text.flatMap { UInt32($0) } ?? 65_534
    }()
}

// MARK: Who may write

extension DirectoryPermissions {
    /// Creating and removing files needs both write and search permission.
    package var ownerMayWrite: Bool { mode & 0o300 == 0o300 }
    package var groupMayWrite: Bool {
        let entry = entries.first { $0.tag == ACLEntry.group }
        return entry.map { maskMayWrite && $0.mayWrite } ?? (mode & 0o030 == 0o030)
    }
    package var othersMayWrite: Bool { mode & 0o003 == 0o003 }
    package var isSticky: Bool { mode & 0o1000 != 0 }

    /// The users and groups that the access list allows to create and remove files.
    package var namedWriters: [Named] {
        entries.compactMap { maskMayWrite && $0.mayWrite ? $0.named : nil }
    }

    /// With a list, the group bits of the mode are the mask, which limits all but owner and others.
    private var maskMayWrite: Bool { entries.first { $0.tag == ACLEntry.mask }?.mayWrite ?? true }

    private var entries: [ACLEntry] { ACLEntry.all(in: accessList) }
}

extension Directory {
    package func permissions() throws(SystemError) -> DirectoryPermissions {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(descriptor.rawValue, &status) }
        return DirectoryPermissions(
            group: status.st_gid, mode: status.st_mode & 0o7777,
            accessList: descriptor.attributeBytes(DirectoryPermissions.access) ?? [],
            defaultList: descriptor.attributeBytes(DirectoryPermissions.inherited) ?? [])
    }

    /// Applies the permissions of another directory, as far as this user may.
    ///
    /// A service that may not set the setgid bit gives the group write permission with an access control
    /// list.
    ///
    /// - Returns: Whether all users who could write there can write here.
    package func apply(_ permissions: DirectoryPermissions) throws(SystemError) -> Bool {
        _ = fchown(descriptor.rawValue, uid_t.max, permissions.group)
        if fchmod(descriptor.rawValue, mode_t(permissions.mode)) != 0 {
            try descriptor.setMode(permissions.mode & 0o1777, path: path)
        }
        setAccessLists(permissions.accessList, permissions.defaultList)
        guard try self.permissions() != permissions else { return true }
        guard permissions.mode & 0o020 != 0, permissions.accessList.isEmpty else {
            return try self.permissions().accessList == permissions.accessList
        }
        let list = permissions.listForGroup
        setAccessLists(list, permissions.defaultList.isEmpty ? list : permissions.defaultList)
        return try !self.permissions().accessList.isEmpty
    }

    /// Opens the directory at `relative`; creates it and those above it that are missing, for all who may write to
    /// the one above.
    ///
    /// That is what its default access list says, else its group, mode and access list; the umask of this process
    /// does not count.
    package func makeSharedDirectory(
        _ relative: some PathBytes
    ) throws(SystemError) -> Directory {
        if let folder = try folder(relative) { return folder }
        var parent = self
        let bytes = relative.pathBytes
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
            parent = try makeSharedDirectory(Array(bytes[..<slash]))
        }
        let rights = try parent.permissions()
        do {
            let made = try createDirectory(relative, mode: 0o777)
            if rights.defaultList.isEmpty, let rights = rights.ifMapped {
                _ = try? made.apply(rights)
            }
            return made
        } catch  where error.code == EEXIST {
            return try openDirectory(relative)
        }
    }

    package func setMode(_ mode: UInt32) throws(SystemError) {
        try descriptor.setMode(mode, path: path)
    }

    private func setAccessLists(_ accessList: [UInt8], _ defaultList: [UInt8]) {
        let lists = [
            (DirectoryPermissions.access, accessList),
            (DirectoryPermissions.inherited, defaultList),
        ]
        for (name, list) in lists where !list.isEmpty {
            _ = unsafe clinux_set_attribute(descriptor.rawValue, name, list, list.count)
        }
    }
}

extension DirectoryPermissions {
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
