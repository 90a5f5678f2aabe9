import APOD
import Platform
import TestSupport
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct TreeIndexTests {
    @Test(arguments: [
        (["2026/2026-11/2026-11-20.json"], ["2026/2026-11/2026-11-20 A Comet.jpg"], true),
        (["2026/2026-11/2026-11-20.json"], [], false),
        ([], ["2026/2026-11/2026-11-20 A Comet.jpg"], false),
        (["2026/2026-10/2026-11-20.json"], ["2026/2026-11/2026-11-20 A Comet.jpg"], false),
        (["2026/2026-11/2026-11-20.json"], ["2025/2026-11/2026-11-20 A Comet.jpg"], false),
        (["2026/2026/2026-11-20.json"], ["2026/2026-11/2026-11-20 A Comet.jpg"], false),
        (["2026/2026-11/2026-11-20.json~"], ["2026/2026-11/2026-11-20 A Comet.jpg"], false),
        (["2026/2026-11/2026-11-20.json"], ["2026/2026-11/2026-11-20 A Comet.jpg.part"], false),
        (["2026/2026-11/2026-11-31.json"], ["2026/2026-11/2026-11-31 A Comet.jpg"], false),
    ])
    func aDayIsCompleteWithBothFilesInTheirPlaces(
        records: [String], pictures: [String], isComplete: Bool
    ) async throws {
        try await withTemporaryFolder { path in
            let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
            for file in records.map({ "metadata/\($0)" }) + pictures.map({ "pictures/\($0)" }) {
                let (folderPath, name) = Layout.split(file)
                let folder = try tree.root.makeDirectory(folderPath)
                try AtomicFile("a draft", in: folder).publish(in: folder, as: name)
            }

            #expect(
                try TreeIndex(of: tree).complete == (isComplete ? [MirrorUnderTest.newest] : []))
        }
    }

    @Test(arguments: [
        (["jpg"], true), (["avif"], false), (["avif", "jpg"], true), (["mp4"], false),
        (["mp4", "png"], true), (["heic", "mp4"], false), (["html"], false),
    ])
    func aDayHasAThumbnailOfAnyOfItsPictures(extensions: [String], isIllustrated: Bool) async throws
    {
        try await withTemporaryFolder { path in
            let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
            let folder = try tree.root.makeDirectory("pictures/2026/2026-11")
            for name in extensions.map({ "2026-11-20 A Comet.\($0)" }) {
                try AtomicFile("a draft", in: folder).publish(in: folder, as: name)
            }

            #expect(
                try TreeIndex(of: tree).illustrated
                    == (isIllustrated ? [MirrorUnderTest.newest] : []))
        }
    }

    /// A link in place of a record is a damaged record.
    @Test(arguments: [
        ("pictures/2026/2026-11/2026-11-20 A Comet.jpg", false),
        ("pictures/2026/2026-11/2026-11-20 A Comet.jpg", true),
        ("metadata/2026/2026-11/2026-11-20.json", false),
    ])
    func aDirectoryOrLinkInPlaceOfAFileIsNoFile(path: String, isLink: Bool) async throws {
        try await withTemporaryFolder { root in
            let tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
            let (folder, name) = Layout.split(path)
            let parent = try tree.root.makeDirectory(folder)
            if isLink {
                try parent.symlink(name, to: "missing")
            } else {
                _ = try parent.makeDirectory("\(name)/mine")
            }

            let index = try TreeIndex(of: tree)

            #expect(index.recorded.isEmpty && index.published.isEmpty && index.pictured.isEmpty)
            #expect(index.unreadable.isEmpty)
        }
    }
}
