import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct AtomicFileBatchTests {
    /// A few files are synced one by one, many at once.
    @Test(arguments: [1, 15, 16, 100]) func publishingRenamesAllFiles(count: Int) async throws {
        try await withFolders { incoming, folder in
            var batch = AtomicFileBatch(in: incoming)
            for number in 0..<count {
                try batch.add([UInt8(number)], as: "\(number)", prefix: "temporary \(number)")
            }
            #expect(try folder.names().isEmpty)
            try batch.publish(in: folder)

            #expect(try incoming.names().isEmpty)
            let contents = try (0..<count).map { try folder.read("\($0)") }
            #expect(contents == (0..<count).map { [UInt8($0)] })
        }
    }

    /// An item in place of one name does not prevent the removal of the others.
    @Test func anErrorLeavesNoTemporaryFile() async throws {
        try await withFolders { incoming, folder in
            _ = try folder.makeDirectory("a/full")
            var batch = AtomicFileBatch(in: incoming)
            try batch.add([1], as: "b", prefix: "temporary b")
            try batch.add([2], as: "a", prefix: "temporary a")

            do {
                try batch.publish(in: folder)
                Issue.record("a folder was replaced")
            } catch {
                #expect((error as? SystemError)?.call == "rename")
            }
            #expect(try incoming.names().isEmpty)
        }
    }

    private func withFolders(_ body: (Directory, Directory) throws -> Void) async throws {
        try await withDirectory { root in
            try body(root.makeDirectory("incoming"), root.makeDirectory("folder"))
        }
    }
}
