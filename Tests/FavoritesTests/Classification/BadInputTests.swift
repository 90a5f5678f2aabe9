import APOD
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// Invalid and malicious items in `favorites/`.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    let crabPath = FolderUnderTest.crabPath

    @Test(
        arguments: [
            Array("new\nline".utf8), [0xFF, 0xFE, 0x80], [UInt8](repeating: 0x78, count: 255),
            Array("-rf".utf8), Array("👩‍🚀".utf8), Array("\u{e9}".utf8), Array("e\u{301}".utf8),
        ] as [[UInt8]])
    func anyFileNameIsAccepted(name: [UInt8]) async throws {
        try await withFolder { folder in
            try folder.link(bytes: name, to: "/mnt/nas/\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            folder.restart()
            try await folder.reconcile()

            let target = try folder.tree.root.folder("favorites")?.target(bytes: name)
            #expect(target == Array("../\(crabPath)".utf8))
            #expect(folder.record(FolderUnderTest.crab)?.names.map(\.bytes) == [name])
        }
    }

    @Test func aHugeFileIsNotRead() async throws {
        try await withFolder { folder in
            folder.write("favorites/huge", [1])
            precondition(unsafe truncate(folder.path("favorites/huge"), 5 << 30) == 0)

            let outcome = try await folder.reconcile()

            #expect(outcome.unrecognized.map(\.name.text) == ["huge"])
        }
    }

    @Test func anUnrecognizedItemIsReadOnce() async throws {
        try await withFolder { folder in
            folder.write("favorites/x", FolderUnderTest.picture("crab!"))
            var old = [timespec(), timespec()]
            precondition(
                unsafe utimensat(AT_FDCWD, folder.path("favorites/x"), &old, 0) == 0)
            try await folder.reconcile()
            // The picture is mirrored: only a check of all favorites recognizes that.
            let path = "pictures/2024/2024-05/2024-05-01 x.jpg"
            folder.mirror(FolderUnderTest.moon, "x", path, FolderUnderTest.picture("crab!"))

            #expect(try await folder.reconcile(checksAll: false).added.isEmpty)
            #expect(try await folder.reconcile(checksAll: true).added.count == 1)
        }
    }
}
