import Glibc
import Platform
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    @Test func linksInPlaceOfFilesAreNotFollowed() async throws {
        try await withDirectory { root in
            try AtomicFile.publish([7], in: root, as: "canary", through: root)
            try root.symlink("x.part", to: "canary")

            let temporary = try AtomicFile("x.part", in: root)
            try temporary.write([9])
            try temporary.publish(in: root, as: "x")
            try root.symlink("y", to: "canary")
            try AtomicFile.publish([8], in: root, as: "y", through: root)

            #expect(try root.read("canary") == [7])
            #expect(try root.status("y")?.kind == .file)
        }
    }

    /// A folder cannot be replaced; and rename(2) does nothing with two names of one file.
    @Test func whatCannotBeReplacedLeavesNothingBesideIt() async throws {
        try await withDirectory { root in
            let (incoming, folder) = try (
                root.makeDirectory("incoming"), root.makeDirectory("folder")
            )
            _ = try folder.makeDirectory("x")
            try AtomicFile.publish([1], in: incoming, as: "new", through: incoming)
            try incoming.link("new", to: folder, as: "y")

            #expect(throws: SystemError.self) {
                try incoming.renameVisibly("new", to: folder, as: "x")
            }
            try incoming.renameVisibly("new", to: folder, as: "y")

            #expect(try folder.textNames().sorted() == ["x", "y"])
            #expect(try incoming.textNames() == ["new"])
        }
    }

    /// Two tasks, or two processes, never write to the same temporary file.
    @Test func twoTemporaryFilesOfOneNameAreDistinct() async throws {
        try await withDirectory { root in
            let incoming = try root.makeDirectory("incoming")
            let first = try AtomicFile("x.part", in: incoming)
            let second = try AtomicFile("x.part", in: incoming)
            try first.write([1, 1, 1])
            try second.write([2])

            try first.publish(in: root, as: "x")
            #expect(try root.read("x") == [1, 1, 1])
            try second.publish(in: root, as: "x")
            #expect(try root.read("x") == [2])
            #expect(try incoming.names() == [])
        }
    }

    /// The log leaves out what is equal, and a full disk fails each attempt.
    @Test func theErrorsOfTwoAttemptsAreEqualAndNameTheFileWithoutItsNumber() async throws {
        try await withDirectory { root in
            let folder = try root.makeDirectory("incoming")
            try root.removeDirectory("incoming")

            let errors = (1...2).map { _ in
                #expect(throws: SystemError.self) {
                    try AtomicFile.publish([1], in: root, as: "state.json", through: folder)
                }
            }

            #expect(errors[0] == errors[1])
            #expect(errors[0]?.path == "\(folder.path)/state.json.part")
        }
    }

    /// A hard link to a fifo can be made, but not opened as a file.
    @Test func aFileThatCannotBeOpenedLeavesNoDuplicate() async throws {
        try await withTemporaryFolder { path in
            let root = try Directory(opening: path)
            let incoming = try root.makeDirectory("incoming")
            try #require(unsafe mkfifo("\(path)/fifo", 0o644) == 0)

            let error = #expect(throws: SystemError.self) {
                _ = try AtomicFile.duplicate(
                    of: "fifo", in: root, as: "x", in: incoming, limit: 1, reserve: { _ in })
            }

            #expect(error?.cause == .invalid)
            #expect(try incoming.names() == [])
        }
    }

    @Test func aFileWithAVeryLongNameHasATemporaryFile() async throws {
        try await withDirectory { root in
            let name = String(repeating: "é", count: 127)

            try AtomicFile.publish([1], in: root, as: name, through: root)

            #expect(try root.read(name) == [1])
        }
    }
}
