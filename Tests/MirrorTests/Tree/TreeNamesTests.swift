import APOD
import Platform
import TestSupport
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct TreeNamesTests {
    @Test func theNamesInADirectoryAreReadOnce() async throws {
        try await withDirectory { root in
            let folder = try root.makeDirectory("pictures/2026")
            try folder.symlink("a", to: "nowhere")
            let names = TreeNames(of: root)

            #expect(try names.contains(bytes("pictures/2026/a")))
            try folder.symlink("b", to: "nowhere")

            #expect(try !names.contains(bytes("pictures/2026/b")))
            #expect(try !names.contains(bytes("pictures/2025/a")))
            #expect(try TreeNames(of: root).contains(bytes("pictures/2026/b")))
            #expect(try names.contains([]))
        }
    }

    /// Nothing is read behind a link: it may lead anywhere.
    @Test func aPathBehindALinkIsAssumedToExist() async throws {
        try await withDirectory { root in
            try root.symlink("pictures", to: "/")
            let names = TreeNames(of: root)

            #expect(try names.contains(bytes("pictures/no such thing")))
        }
    }

    @Test func aFileIsNotADirectory() async throws {
        try await withDirectory { root in
            try AtomicFile.publish([1], in: root, as: "pictures", through: root)

            #expect(try !TreeNames(of: root).contains(bytes("pictures/a")))
        }
    }

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
}
