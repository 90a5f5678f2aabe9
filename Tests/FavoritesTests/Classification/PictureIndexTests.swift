import Mirror
import Platform
import Testing

@testable import Favorites

/// Copies are identified by their bytes.
@Suite(.timeLimit(.minutes(10))) struct PictureIndexTests {
    let crab = FolderUnderTest.crab
    let replaced = FolderUnderTest.picture("what an edit replaced")
    let previous = ".apod-mirror/previous/2026-11-20 replaced.jpg"

    /// Ten thousand files of the size of one picture read that picture once, also in later scans.
    @Test func aPictureWithoutARecordedHashIsHashedUntilItChanges() async throws {
        try await withFolder { folder in
            folder.write(previous, replaced)
            let hashes = FileHashes()
            let index = try PictureIndex(of: folder.tree, hashes: hashes)
            #expect(index.day(ofSize: replaced.count, hash(replaced), likelyDays: []) == crab)
            let status = folder.status(previous)
            folder.write(previous, FolderUnderTest.picture("WHAT an edit replaced"))
            folder.setTime(of: previous, to: 0)

            #expect(folder.status(previous) != status)
            #expect(index.day(ofSize: replaced.count, hash(replaced), likelyDays: []) == nil)
        }
    }

    @Test(arguments: [
        ("what an edit replaced", true), ("WHAT an edit replaced", false),
        ("longer than it", false),
    ])
    func onlyAFileOfTheSizeAndTheBeginningOfAPictureIsHashed(
        text: String, isHashed: Bool
    )
        async throws
    {
        try await withFolder { folder in
            folder.write(previous, replaced)
            let index = try PictureIndex(of: folder.tree, hashes: FileHashes())
            let bytes = FolderUnderTest.picture(text)

            #expect(index.hasFile(ofSize: bytes.count, beginningWith: bytes) == isHashed)
        }
    }

    private func hash(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexDigest()
    }
}
