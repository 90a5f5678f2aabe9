import Mirror
import Platform
import Testing

@testable import Favorites

/// Copies are identified by their bytes.
@Suite(.timeLimit(.minutes(10))) struct PictureIndexTests {
    let crab = FolderUnderTest.crab
    let replaced = FolderUnderTest.picture("what an edit replaced")
    let previous = ".apod-mirror/previous/2026-11-20 replaced.jpg"

    /// Ten thousand files of the size of one picture read that picture once.
    @Test func thePicturesOfOneSizeAreHashedOnce() async throws {
        try await withFolder { folder in
            folder.write(previous, replaced)
            let index = try PictureIndex(of: folder.tree)
            let copyOfCrab = Classification.favorite(crab, .copy)
            let first = try item("first.jpg", replaced, in: folder)
            let second = try item("second.jpg", replaced, in: folder)

            #expect(try index.classification(of: first) { hash(replaced) } == copyOfCrab)
            folder.remove(previous)
            #expect(try index.classification(of: second) { hash(replaced) } == copyOfCrab)
        }
    }

    @Test func aFileOfTheSizeOfNoPictureIsNotRead() async throws {
        try await withFolder { folder in
            let index = try PictureIndex(of: folder.tree)
            let item = try item("mine.jpg", replaced, in: folder)
            var reads = 0

            let found = try index.classification(of: item) { () throws(SystemError) in
                reads += 1
                return hash(replaced)
            }

            #expect(found == nil && reads == 0)
        }
    }

    private func item(
        _ name: String, _ bytes: [UInt8], in folder: FolderUnderTest
    ) throws -> ScannedItem {
        folder.write("favorites/\(name)", bytes)
        let status = try #require(folder.status("favorites/\(name)"))
        return ScannedItem(
            name: try #require(FavoriteName(name)), kind: .file, identity: status.identity,
            size: bytes.count, linkTarget: nil, modified: 0)
    }

    private func hash(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexDigest()
    }
}
