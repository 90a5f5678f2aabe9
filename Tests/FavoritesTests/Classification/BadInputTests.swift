import APOD
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// Invalid and malicious items in `favorites/`.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    let crabPath = FolderUnderTest.crabPath

    @Test func nothingOutsideIsReadOrWritten() async throws {
        try await withFolder { folder in
            folder.link("shadow", to: "/etc/shadow")
            folder.link("proc", to: "/proc/self/fd/1")
            folder.link("up", to: "../../../../..")
            folder.link("self", to: "self")
            folder.link("a", to: "b")
            folder.link("b", to: "a")
            for hop in 0..<60 { folder.link("hop\(hop)", to: "hop\(hop + 1)") }
            unsafe mkfifo(folder.path("favorites/fifo"), 0o666)

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.isEmpty)
            #expect(outcome.unrecognized.count == 67)
            #expect(folder.target("shadow") == "/etc/shadow")
        }
    }

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
            _ = try folder.commands.restore()

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

    @Test func fiveThousandOtherFilesAreNotFavorites() async throws {
        try await withFolder(inMemory: true) { folder in
            for number in 0..<5_000 { folder.write("favorites/\(number)", [1]) }
            folder.link("x", to: "../\(crabPath)")

            let outcome = try await folder.reconcile()

            #expect(outcome.unrecognized.count == 5_000)
            #expect(outcome.favorites.count == 1)
            #expect(outcome.events.count == 1)
        }
    }

    @Test(.enabled(if: getuid() == 0, "makes a device"))
    func aDeviceIsNotOpened() async throws {
        try await withFolder { folder in
            // The first tape drive, 9:0: opening it may rewind the tape.
            let number: dev_t = 9 << 8
            precondition(unsafe mknod(folder.path("favorites/tape"), S_IFCHR | 0o666, number) == 0)

            let outcome = try await folder.reconcile()

            #expect(outcome.unrecognized.map(\.reason).first?.contains("a device") == true)
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
            try folder.mirror(FolderUnderTest.moon, "x", path, FolderUnderTest.picture("crab!"))

            #expect(try await folder.reconcile(checksAll: false).added.isEmpty)
            #expect(try await folder.reconcile(checksAll: true).added.count == 1)
        }
    }
}
