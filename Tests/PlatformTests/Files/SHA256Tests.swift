import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SHA256Tests {
    /// FIPS 180-4, the examples of NIST.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesMatchTheStandard(text: String, digest: String) {
        var whole = SHA256()
        whole.update(Array(text.utf8))
        var pieces = SHA256()
        for byte in text.utf8 { pieces.update([byte]) }

        #expect(whole.hexDigest() == digest)
        #expect(pieces.hexDigest() == digest)
    }

    @Test func hashingAHugeFileEndsWithItsTask() async throws {
        let error = await #expect(throws: SystemError.self) {
            try await hashInACancelledTask(bytes: 1 << 40)
        }

        #expect(error?.isCancelled == true)
    }

    /// What a cancelled task publishes is published to its end.
    @Test func aSmallFileIsHashedInACancelledTask() async throws {
        #expect(try await hashInACancelledTask(bytes: 1 << 20).count == 64)
    }

    /// A file of proc(5) has the size 0, and contents nevertheless.
    @Test func aFileThatGrowsWhileItIsHashedIsAnError() throws {
        let path = "/proc/self/status"
        let file = try FileDescriptor(opening: path, O_RDONLY)

        let error = #expect(throws: SystemError.self) { try file.sha256(path: path, limit: 1) }

        #expect(error?.isGrowing == true)
    }

    @Test func aFileAboveTheLimitIsNotRead() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/file"
            let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT)
            try file.write([1, 2], path: path)

            let error = #expect(throws: SystemError.self) { try file.sha256(path: path, limit: 1) }

            #expect(error?.code == EFBIG)
        }
    }

    @Test func nothingIsCopiedWhereThereIsNoRoom() async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            // Of another file system, whose blocks cannot be shared.
            let source = try FileDescriptor(inMemory: "source")
            try source.write([1, 2, 3], path: "source")
            let copy = try AtomicFile("copy", in: folder)
            var asked: [Int] = []

            let error = #expect(throws: SystemError.self) {
                try copy.copy(source, limit: 3) { bytes throws(SystemError) in
                    asked.append(bytes)
                    throw SystemError("write", path: path, code: ENOSPC)
                }
            }

            #expect(error?.isNoSpace == true)
            #expect(asked == [3])
            #expect(try copy.file.status(path: path).size == 0)
        }
    }

    /// Hashes a file of `bytes` without blocks.
    private func hashInACancelledTask(bytes: Int) async throws -> String {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/file"
            let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
            #expect(ftruncate(file.rawValue, bytes) == 0)
            let task = Task.detached {
                try FileDescriptor(opening: path, O_RDONLY).sha256(path: path, limit: bytes)
            }
            task.cancel()
            return try await task.value
        }
    }
}
