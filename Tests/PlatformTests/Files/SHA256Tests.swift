import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SHA256Tests {
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

    /// Creates a file of `bytes` without blocks.
    private func makeFile(_ path: String, bytes: Int) throws {
        let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        #expect(ftruncate(file.rawValue, bytes) == 0)
    }

    @Test func hashingAHugeFileEndsWithItsTask() async throws {
        try await withTemporaryFolder { path in
            try makeFile("\(path)/huge", bytes: 1 << 40)
            let task = Task.detached {
                try FileDescriptor(opening: "\(path)/huge", O_RDONLY).sha256(path: "huge")
            }
            task.cancel()

            let error = await #expect(throws: SystemError.self) { try await task.value }

            #expect(error?.isCancelled == true)
        }
    }

    /// What a cancelled task publishes is published to its end.
    @Test func aSmallFileIsHashedInACancelledTask() async throws {
        try await withTemporaryFolder { path in
            try makeFile("\(path)/small", bytes: 1 << 20)
            let task = Task.detached {
                try FileDescriptor(opening: "\(path)/small", O_RDONLY).sha256(path: "small")
            }
            task.cancel()

            #expect(try await task.value.count == 64)
        }
    }
}
