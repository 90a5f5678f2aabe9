import Testing

@testable import Platform

@Suite struct MountTests {
    @Test func aLineOfTheMountTableIsParsed() throws {
        let line =
            "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext4 /dev/root rw,barrier=0"
        let mount = try #require(Mount(line: line))

        #expect(mount.type == "ext4" && mount.isWithoutBarriers && !mount.isReadOnly)
        #expect(!mount.isMemory && !mount.isNetwork)
    }

    @Test(arguments: ["", "36 35", "36 35 98:0 / / rw - ext4", "1 2 3 4 5 6 7 8 9"])
    func aMalformedLineOfTheMountTableIsRejected(line: String) {
        #expect(Mount(line: line) == nil)
    }

    @Test func eitherSetOfOptionsMakesItReadOnly() throws {
        let first = try #require(Mount(line: "36 35 0:5 / /m ro - tmpfs none rw"))
        let second = try #require(Mount(line: "36 35 0:5 / /m rw - nfs4 host:/x ro"))

        #expect(first.isReadOnly && first.isMemory)
        #expect(second.isReadOnly && second.isNetwork)
    }

    @Test func theFileSystemOfProcIsProc() throws {
        #expect(Mount(of: try Directory(opening: "/proc"))?.type == "proc")
    }
}
