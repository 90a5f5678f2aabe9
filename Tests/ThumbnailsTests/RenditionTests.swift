import APOD
import FoundationEssentials
import Glibc
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing
import Thumbnails

/// The renditions of the newest pictures for the gallery, where the originals are large.
@Suite(.timeLimit(.minutes(10))) struct RenditionTests {
    /// Padding to a large file; decoders ignore bytes after the end.
    private static let large =
        Chart(2400, 1700).jpeg() + [UInt8](repeating: 0, count: 1_000_001)

    private func size(of day: Day, in mirror: MirrorOfCharts) throws -> (Int, Int)? {
        let path = Rendition.path(of: day)
        guard try mirror.tree.root.status(path)?.kind == .file else { return nil }
        return try MediaHeader(reading: mirror.tree.root.open(path, O_RDONLY)).size
            .map { ($0.width, $0.height) }
    }

    /// Creates the renditions; returns the number of changes.
    private func render(_ thumbnails: Thumbnails) async throws -> Int {
        var changes = 0
        try await thumbnails.renderNewest { changes += 1 }
        return changes
    }

    /// The names of the renditions.
    private func names(in mirror: MirrorOfCharts) throws -> [String] {
        try mirror.tree.root.folder(Rendition.folder)?.textNames().sorted() ?? []
    }

    @Test func aLargePictureIsReducedOnce() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.comet, Self.large, "jpg")
            let thumbnails = try mirror.thumbnails
            // Its thumbnail is created first.
            #expect(try await render(thumbnails) == 0)
            try await mirror.make()

            #expect(try await render(thumbnails) == 1)
            #expect(try size(of: MirrorOfCharts.comet, in: mirror) ?? (0, 0) == (1600, 1133))
            #expect(try await render(mirror.thumbnails) == 0)
            #expect(try names(in: mirror) == ["2026-11-19.jpg"])
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test func filesOfTheUserStay() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.comet, Self.large, "jpg")
            try await mirror.make()
            let paths = [MirrorOfCharts.comet, .first].map(Rendition.path)
            for path in paths { mirror.write(Array("mine".utf8), to: path) }

            #expect(try await render(mirror.thumbnails) == 0)

            for path in paths { #expect(try mirror.tree.root.read(path) == Array("mine".utf8)) }
        }
    }

    @Test func onlyTheNewestDaysHaveRenditions() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root, isEmpty: true)
            let (first, second) = (MirrorOfCharts.moon, MirrorOfCharts.moon.advanced(by: 1))
            try mirror.mirror(first, Self.large, "jpg")
            try await mirror.make()
            _ = try await render(mirror.thumbnails)
            mirror.write(Array("mine".utf8), to: "\(Rendition.folder)/mine.jpg")
            for number in 1..<Rendition.days {
                try mirror.mirror(
                    first.advanced(by: -number), Chart(96, 64).jpeg(), "jpg")
            }
            try await mirror.make()
            #expect(try await render(mirror.thumbnails) == 0)
            #expect(try names(in: mirror) == ["2024-05-01.jpg", "mine.jpg"])

            try mirror.mirror(
                first.advanced(by: -Rendition.days), Self.large, "jpg")
            try mirror.mirror(second, Self.large, "jpg")
            try await mirror.make()
            #expect(try await render(mirror.thumbnails) == 1)
            #expect(try names(in: mirror) == ["2024-05-01.jpg", "2024-05-02.jpg", "mine.jpg"])

            for number in 1..<Rendition.days {
                try mirror.mirror(
                    second.advanced(by: number), Chart(96, 64).jpeg(), "jpg")
            }
            try await mirror.make()
            #expect(try await render(mirror.thumbnails) == 1)
            #expect(try names(in: mirror) == ["2024-05-02.jpg", "mine.jpg"])
        }
    }

    @Test func aRemovedPictureHasNoRendition() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            _ = try await render(mirror.thumbnails)
            let (folder, name) = Layout.split(MirrorOfCharts.path(of: MirrorOfCharts.crab, "jpg"))
            try mirror.tree.root.folder(folder)?.remove(name)

            #expect(try await render(mirror.thumbnails) == 1)
            #expect(try names(in: mirror) == [])
        }
    }

    @Test func aReplacedPictureGetsANewRendition() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            _ = try await render(mirror.thumbnails)
            mirror.write(
                Chart(96, 64).jpeg(), to: ".apod-mirror/previous/2026-11-20 r1 A Chart.jpg")
            try mirror.mirror(
                MirrorOfCharts.crab, Self.large + [0], "jpg")
            let before = try mirror.tree.root.read(Rendition.path(of: MirrorOfCharts.crab))
            try await mirror.make()

            #expect(try await render(mirror.thumbnails) == 1)
            #expect(try mirror.tree.root.read(Rendition.path(of: MirrorOfCharts.crab)) != before)
        }
    }

    @Test func aFailingRenditionIsNotRetriedRepeatedly() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            try mirror.decodeBy("exit 1")
            let thumbnails = try mirror.thumbnails
            let start = Date()

            await #expect(throws: (any Error).self) { try await render(thumbnails) }
            #expect(try await render(thumbnails) == 0)

            let due = try #require(thumbnails.firstRenditionRetry(after: start))
            #expect(due > start)
            // If it is not tried then, it is not needed.
            #expect(thumbnails.firstRenditionRetry(after: due) == nil)
        }
    }

    /// The disk is the cause, and the next picture would be decoded for nothing, too.
    @Test func aRenditionThatCannotBePublishedEndsTheRound() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try await mirror.make()
            let thumbnails = try mirror.thumbnails
            try mirror.tree.root.removeFolder(Layout.incoming)
            let tried = Monitor<[Day]>([])

            await #expect(throws: SystemError.self) {
                try await thumbnails.render(
                    MirrorOfCharts.days, side: 64,
                    at: { day in
                        tried.withLock { $0.append(day) }
                        return "gallery/\(day).jpg"
                    }
                ) { _ in }
            }
            #expect(tried.withLock(\.self) == [MirrorOfCharts.crab])
        }
    }

    /// As for lack of descriptors: nothing else would retry it.
    @Test func aPictureThatCannotBeOpenedIsRetriedWhenItIsDue() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try await mirror.make()
            let path = MirrorOfCharts.path(of: MirrorOfCharts.crab, "jpg")
            try mirror.tree.root.remove(path)
            try mirror.tree.root.symlink(path, to: path)
            let thumbnails = try mirror.thumbnails
            let start = Date()
            var outcomes: [ThumbnailOutcome] = []

            for _ in 1...2 {
                try await thumbnails.render(
                    [MirrorOfCharts.crab], side: 64, at: { "gallery/\($0).jpg" }
                ) { outcomes.append($0) }
            }

            #expect(throws: ThumbnailFailure.self) { try outcomes.first?.result.get() }
            #expect(outcomes.count == 1)
            #expect(thumbnails.firstRenditionRetry(after: start) != nil)
        }
    }

    /// The file is repaired later.
    @Test func aPictureWithoutItsRecordedSizeIsTriedAgain() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            let path = MirrorOfCharts.path(of: MirrorOfCharts.crab, "jpg")
            mirror.write([0], to: path)
            let thumbnails = try mirror.thumbnails
            await #expect(throws: ThumbnailFailure.self) { try await render(thumbnails) }

            mirror.write(Self.large, to: path)
            #expect(try await render(thumbnails) == 1)
        }
    }

    /// A run ends while a rendition is made; the same process makes it afterwards.
    @Test func aCancelledRenditionIsNoFailure() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            let started = "\(root)/started"
            _ = unsafe mkfifo(started, 0o600)
            try mirror.decodeOnceBy("head -c 1 > /dev/null; : > \"\(started)\"; exec sleep 1000")
            let thumbnails = try mirror.thumbnails
            let task = Task { try await thumbnails.renderNewest {} }
            _ = try await Task.detached {
                try FileDescriptor(opening: started, O_RDONLY).readToEnd(limit: 1, path: started)
            }.value
            task.cancel()
            _ = await task.result

            #expect(try await render(thumbnails) == 1)
            #expect(try names(in: mirror) == ["\(MirrorOfCharts.crab).jpg"])
        }
    }
}
