import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct DirectoryPermissionsTests {
    private static func rights(_ mode: UInt32) -> DirectoryPermissions {
        DirectoryPermissions(group: 2, mode: mode, accessList: [], defaultList: [])
    }

    @Test func theModeDecides() {
        #expect(Self.rights(0o2775).groupMayWrite && !Self.rights(0o755).groupMayWrite)
        // Write permission has no effect without search permission.
        #expect(!Self.rights(0o762).groupMayWrite)
    }

    /// Lists in the format of the kernel, see `linux/posix_acl_xattr.h`: user::rwx, user:1000:rwx, group::r-x,
    /// mask::rwx, other::r-x.
    @Test func anotherDirectoryGetsTheSameAccessLists() async throws {
        let entries: [(tag: UInt8, rights: UInt8, id: [UInt8])] = [
            (1, 7, [255, 255, 255, 255]), (2, 7, [0xE8, 3, 0, 0]), (4, 5, [255, 255, 255, 255]),
            (16, 7, [255, 255, 255, 255]), (32, 5, [255, 255, 255, 255]),
        ]
        let list = entries.reduce([2, 0, 0, 0]) { $0 + [$1.tag, 0, $1.rights, 0] + $1.id }
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            let wanted = DirectoryPermissions(
                group: getgid(), mode: 0o775, accessList: list, defaultList: list)

            #expect(try folder.apply(wanted))
            #expect(try folder.permissions() == wanted)

            // Without those that it inherited, if the other one has none.
            let inner = try folder.makeDirectory("inner")
            #expect(try inner.permissions().defaultList == list)
            let without = DirectoryPermissions(
                group: getgid(), mode: 0o775, accessList: [], defaultList: [])
            #expect(try inner.apply(without))
            #expect(try inner.permissions() == without)
        }
    }
}
