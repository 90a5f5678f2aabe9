import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct AtomicFileBatchTests {
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
