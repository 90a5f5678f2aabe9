import APOD
import MirrorTesting
import Platform
import TestSupport
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct TreeSnapshotTests {
    /// What is at a path of a made tree: a file, unless it ends with a slash or leads to a target.
    struct Case: CustomStringConvertible, Sendable {
        let paths: [String]
        /// The days, each with what it has.
        let days: [String]
        var unreadable: [String] = []
        var description: String { paths.joined(separator: ", ") }
    }

    private static let record = "metadata/2026/2026-11/2026-11-20.json"
    private static let pictures = "pictures/2026/2026-11"
    private static let picture = "\(pictures)/2026-11-20 A Comet.jpg"
    private static let foreign = "\(pictures)/foreign.txt"
    private static let thumbnail = "gallery/thumbnails/2026/2026-11/2026-11-20.jpg"

    private static let cases = [
        Case(paths: [], days: []),
        Case(paths: [record, picture], days: ["2026-11-20 record picture both"]),
        Case(paths: [record], days: ["2026-11-20 record"]),
        Case(paths: [picture], days: ["2026-11-20 picture"]),
        Case(
            paths: [picture, record, thumbnail, "metadata/2025/2025-12/2025-12-31.json"],
            days: ["2025-12-31 record", "2026-11-20 record picture both thumbnail"]),
        // Types.
        Case(
            paths: ["avif", "heic"].map { "\(pictures)/2026-11-20 A Comet.\($0)" },
            days: ["2026-11-20 undecodable"]),
        Case(
            paths: ["avif", "png"].map { "\(pictures)/2026-11-20 A Comet.\($0)" },
            days: ["2026-11-20 picture"]),
        Case(paths: ["\(pictures)/2026-11-20 A Comet.JPG"], days: ["2026-11-20 picture"]),
        Case(
            paths: [record, "\(pictures)/2026-11-20 A Comet.mp4"],
            days: ["2026-11-20 record video both"]),
        Case(
            paths: ["html", "jpg.xmp", "JPEG", "jpg.part", "jpg~"].map {
                "\(pictures)/2026-11-20 A Comet.\($0)"
            }, days: ["2026-11-20"]),
        // Names that are those of no day, or in the directory of another month.
        Case(
            paths: [
                "metadata/2026/2026-10/2026-11-20.json", "metadata/2026/2026-11/2026-11-20.JSON",
                "metadata/2026/2026-11/2026-11-20.json~", "metadata/2026/2026-11/2026-11-31.json",
                "pictures/2025/2026-11/2026-11-20 A Comet.jpg", "\(pictures)/2026-11-20.jpg",
                "\(pictures)/A Comet.jpg", "pictures/1994/1994-01/1994-01-01 A Comet.jpg",
                "pictures/2026/2026-13/2026-13-01 A Comet.jpg", "pictures/mine.txt",
                "gallery/thumbnails/.nomedia", "gallery/thumbnails/2026/2026-11/2026-11-20.png",
            ], days: []),
        // Directories and links in place of files.
        Case(paths: ["\(picture)/"], days: []),
        Case(paths: ["\(record)/"], days: []),
        Case(paths: ["\(picture)>missing"], days: []),
        Case(paths: ["\(record)>missing"], days: ["2026-11-20 record"]),
        // Something else in place of directories.
        Case(
            paths: ["pictures>/tmp", record], days: ["2026-11-20 record"], unreadable: ["pictures"]
        ),
        Case(
            paths: ["metadata/2026", picture], days: ["2026-11-20 picture"],
            unreadable: ["metadata/2026"]),
        Case(paths: ["pictures/2026/2026-11>/tmp"], days: [], unreadable: [pictures]),
    ]

    @Test(arguments: cases) func aWalkFindsTheFilesOfEachDay(_ example: Case) async throws {
        try await withTree(example.paths) { tree in
            let snapshot = try TreeSnapshot(of: tree.root)

            #expect(snapshot.days.map { Self.words(of: $0, in: snapshot) } == example.days)
            #expect(snapshot.unreadable.keys.sorted() == example.unreadable)
        }
    }

    /// In a tree with files of two other months and of a day of the same.
    @Test(arguments: [
        [record, picture, thumbnail], [record], ["\(pictures)/2026-11-20 mine.txt"], [foreign],
    ])
    func aDayThatIsReadAgainIsAsInANewWalk(_ paths: [String]) async throws {
        let others = [
            "metadata/2026/2026-10/2026-10-31.json", "metadata/2026/2026-11/2026-11-21.json",
            "metadata/2026/2026-12/2026-12-01.json", "\(Self.pictures)/old.txt",
            "pictures/2026/2026-12/old.txt",
        ]
        try await withTree(others) { tree in
            let before = try TreeSnapshot(of: tree.root)
            try Self.make(paths, in: tree)
            var snapshot = before
            snapshot.reread(MirrorUnderTest.newest, in: tree.root)
            let after = try TreeSnapshot(of: tree.root)
            // An item whose name begins with no day belongs to none.
            #expect(snapshot == after && (after == before) == (paths == [Self.foreign]))

            for path in paths { try tree.root.remove(path) }
            snapshot.reread(MirrorUnderTest.newest, in: tree.root)
            #expect(snapshot == before)
        }
    }

    @Test func theOwnerKnowsWhatTheStoreChanged() async throws {
        try await withMirror { mirror in
            let empty = try mirror.store.snapshots.walk()
            #expect(empty.days == [])
            await mirror.sync()
            let day = MirrorUnderTest.newest
            let record = try #require(try mirror.store.record(of: day))
            try mirror.store.publishDayFile(
                Self.contents, of: record, at: Layout.thumbnail(of: day))

            let snapshot = try mirror.store.snapshots.current()

            #expect(snapshot == (try TreeSnapshot(of: mirror.tree.root)))
            #expect(snapshot.recordedWithMedia.count == 10 && snapshot.thumbnails == [day])

            // What another process changes is found by the next walk; on a busy machine, five seconds may have passed.
            _ = try mirror.store.snapshots.walk()
            mirror.store.snapshots.release(holdingUntilMidnight: true)
            try mirror.tree.root.remove(Layout.thumbnail(of: day))
            #expect(try mirror.store.snapshots.current().thumbnails == [day])
            mirror.store.snapshots.invalidate()
            #expect(try mirror.store.snapshots.current().thumbnails == [])
        }
    }

    private static let contents = Array("a draft".utf8)

    private static func words(
        of files: TreeSnapshot.DayFiles, in snapshot: TreeSnapshot
    ) -> String {
        let day = files.day
        let words = [
            "\(day)", snapshot.recorded.contains(day) ? "record" : nil,
            files.canHaveThumbnail
                ? "picture" : snapshot[day]?.hasPicture == true ? "undecodable" : nil,
            files.hasMedia && files.pictures.isEmpty ? "video" : nil,
            snapshot.recordedWithMedia.contains(day) ? "both" : nil,
            snapshot.thumbnails.contains(day) ? "thumbnail" : nil,
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }

    private func withTree(_ paths: [String], _ body: (Tree) throws -> Void) async throws {
        try await withTemporaryFolder { root in
            let tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
            try Self.make(paths, in: tree)
            try body(tree)
        }
    }

    private static func make(_ paths: [String], in tree: Tree) throws {
        for path in paths {
            let parts = path.split(separator: ">")
            let (folder, name) = Layout.split(String(parts[0]))
            let parent = try tree.root.makeDirectory(folder)
            if parts.count > 1 {
                try parent.symlink(name, to: String(parts[1]))
            } else if name.isEmpty {
                _ = try parent.makeDirectory("mine")
            } else {
                try parent.write(contents, name)
            }
        }
    }
}

extension Directory {
    fileprivate func write(_ bytes: [UInt8], _ name: String) throws {
        let draft = try AtomicFile("a draft", in: self)
        try draft.write(bytes)
        try draft.publish(in: self, as: name)
    }
}
