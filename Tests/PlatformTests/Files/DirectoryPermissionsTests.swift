import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct DirectoryPermissionsTests {
    /// A list in the format of the kernel; see `linux/posix_acl_xattr.h`.
    private static func list(_ entries: (tag: UInt16, rights: UInt16, id: UInt32)...) -> [UInt8] {
        entries.reduce([2, 0, 0, 0]) { bytes, entry in
            bytes + [entry.tag, entry.rights].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
                + (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
        }
    }

    private static func rights(_ mode: UInt32, _ list: [UInt8] = []) -> DirectoryPermissions {
        DirectoryPermissions(group: 2, mode: mode, accessList: list, defaultList: [])
    }

    @Test func withoutAListTheModeDecides() {
        #expect(Self.rights(0o755).ownerMayWrite && !Self.rights(0o755).groupMayWrite)
        #expect(Self.rights(0o2775).groupMayWrite && !Self.rights(0o2775).othersMayWrite)
        #expect(Self.rights(0o1777).othersMayWrite && Self.rights(0o1777).isSticky)
        // Write permission has no effect without search permission.
        #expect(!Self.rights(0o762).groupMayWrite && !Self.rights(0o762).othersMayWrite)
    }

    /// user::rwx, user:1000:rwx, group::r-x, group:27:rwx, mask::rwx, other::r-x.
    @Test func anAccessControlListNamesOtherWriters() {
        let rights = Self.rights(
            0o775,
            Self.list(
                (1, 7, .max), (2, 7, 1000), (4, 5, .max), (8, 7, 27), (16, 7, .max), (32, 5, .max)))

        #expect(rights.namedWriters == [.user(1000), .group(27)])
        // The group bits of the mode are the mask.
        #expect(!rights.groupMayWrite)
    }

    @Test func theMaskLimitsAllOfThem() {
        let rights = Self.rights(
            0o755, Self.list((1, 7, .max), (2, 7, 1000), (4, 7, .max), (16, 5, .max), (32, 5, 0)))

        #expect(rights.namedWriters == [] && !rights.groupMayWrite)
    }

    /// The entry for the owning group is then about another group.
    @Test(.enabled(if: getuid() == 0, "becomes somebody who is not in the group"))
    func aGroupThatCannotBeTheOwnerIsNamedInTheAccessList() async {
        await #expect(processExitsWith: .success) {
            let list = Self.list(
                (1, 7, .max), (2, 7, 1000), (4, 7, .max), (16, 7, .max), (32, 5, .max))
            for (list, writers) in [([], []), (list, [DirectoryPermissions.Named.user(1000)])] {
                try await withTemporaryFolder { path in
                    try #require(unsafe chown(path, 65534, 65534) == 0 && setegid(65534) == 0)
                    try #require(setgroups(0, nil) == 0 && seteuid(65534) == 0)
                    let folder = try Directory(opening: path)
                    let wanted = DirectoryPermissions(
                        group: 27, mode: 0o775, accessList: list, defaultList: [])

                    let isApplied = try folder.apply(wanted)

                    let applied = try folder.permissions()
                    try #require(seteuid(0) == 0)
                    #expect(isApplied && applied.group == 65534)
                    #expect(applied.namedWriters == writers + [.group(27)])
                    #expect(!applied.othersMayWrite)
                }
            }
        }
    }

    @Test(arguments: [[], [2, 0, 0], [3, 0, 0, 0, 2, 0, 7, 0, 0, 0, 0, 0], [2, 0, 0, 0, 2, 0]])
    func aListOfAnotherVersionNamesNobody(bytes: [UInt8]) {
        #expect(Self.rights(0o755, bytes).namedWriters == [])
    }
}
