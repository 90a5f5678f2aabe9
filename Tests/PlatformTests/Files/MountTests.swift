import Glibc
import Testing

@testable import Platform

@Suite struct MountTests {
    @Test func aLineOfTheMountTableIsParsed() throws {
        let line =
            "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext4 /dev/root rw,barrier=0"
        let mount = try #require(Mount(line: line))

        #expect(mount.type == "ext4" && mount.options == ["rw", "noatime", "barrier=0"])
        #expect(!mount.isInMemory && !mount.isRemote)
    }

    @Test(arguments: ["", "36 35", "36 35 98:0 / / rw - ext4", "1 2 3 4 5 6 7 8 9"])
    func aMalformedLineOfTheMountTableIsRejected(line: String) {
        #expect(Mount(line: line) == nil)
    }

    @Test func eitherSetOfOptionsMakesItReadOnly() throws {
        let first = try #require(Mount(line: "36 35 0:5 / /m ro - tmpfs none rw"))
        let second = try #require(Mount(line: "36 35 0:5 / /m rw - nfs4 host:/x ro"))

        #expect(first.options.contains("ro") && first.isInMemory)
        #expect(second.options.contains("ro") && second.isRemote)
    }

    /// The kernel writes the source of `mount -t tmpfs "" /m` as nothing between two blanks.
    @Test func aMountWithoutASourceIsParsed() throws {
        let mount = try #require(Mount(line: "36 35 0:5 / /m rw - tmpfs  rw,size=4k"))

        #expect(mount.type == "tmpfs" && mount.options.contains("size=4k"))
    }

    @Test func theFileSystemOfProcIsProc() throws {
        #expect(Mount(of: try Directory(opening: "/proc"))?.type == "proc")
    }

    /// What is mounted elsewhere on the machine is no reason to scan a directory.
    @Test func onlyMountsAtOrBelowAPathAreOfIt() {
        let points = [
            "/", "/srv", "/srv/my\\040mirror", "/srv/my\\040mirror/x", "/srv/my\\040mirror2",
        ]
        let table = points.map { "36 35 98:0 / \($0) rw - ext3 /dev/root rw" }

        let found = Mount.lines(of: table.joined(separator: "\n"), atOrBelow: "/srv/my mirror")

        #expect(found.map(String.init) == Array(table[2...3]))
    }
}
