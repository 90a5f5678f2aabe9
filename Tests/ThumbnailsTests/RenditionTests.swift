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

    /// The names of the renditions.
    private func names(in mirror: MirrorOfCharts) throws -> [String] {
        try mirror.tree.root.folder(Rendition.folder)?.textNames().sorted() ?? []
    }

    @Test func aLargePictureIsReducedOnce() async throws {
        try await withCharts { mirror in
            try mirror.mirror(MirrorOfCharts.comet, Self.large, "jpg")
            let thumbnails = try mirror.thumbnails
            // Its thumbnail is created first.
            #expect(try await thumbnails.renderNewest() == 0)
            try await mirror.make()

            #expect(try await thumbnails.renderNewest() == 1)
            #expect(try size(of: MirrorOfCharts.comet, in: mirror) ?? (0, 0) == (1600, 1133))
            #expect(try await mirror.thumbnails.renderNewest() == 0)
            #expect(try names(in: mirror) == ["2026-11-19.jpg"])
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test func filesOfTheUserStay() async throws {
        try await withCharts { mirror in
            try mirror.mirror(MirrorOfCharts.comet, Self.large, "jpg")
            try await mirror.make()
            let paths = [MirrorOfCharts.comet, .first].map(Rendition.path)
            for path in paths { mirror.write(Array("mine".utf8), to: path) }

            await #expect(throws: ThumbnailFailure.self) {
                try await mirror.thumbnails.renderNewest()
            }

            for path in paths { #expect(try mirror.tree.root.read(path) == Array("mine".utf8)) }
        }
    }

    @Test func onlyTheNewestDaysHaveRenditions() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root, isEmpty: true)
            let (first, second) = (MirrorOfCharts.moon, MirrorOfCharts.moon.advanced(by: 1))
            try mirror.mirror(first, Self.large, "jpg")
            try await mirror.make()
            _ = try await mirror.thumbnails.renderNewest()
            mirror.write(Array("mine".utf8), to: "\(Rendition.folder)/mine.jpg")
            for number in 1..<Rendition.maximumCount {
                try mirror.mirror(
                    first.advanced(by: -number), Chart(96, 64).jpeg(), "jpg")
            }
            try await mirror.make()
            #expect(try await mirror.thumbnails.renderNewest() == 0)
            #expect(try names(in: mirror) == ["2024-05-01.jpg", "mine.jpg"])

            try mirror.mirror(
                first.advanced(by: -Rendition.maximumCount), Self.large, "jpg")
            try mirror.mirror(second, Self.large, "jpg")
            try await mirror.make()
            #expect(try await mirror.thumbnails.renderNewest() == 1)
            #expect(try names(in: mirror) == ["2024-05-01.jpg", "2024-05-02.jpg", "mine.jpg"])

            for number in 1..<Rendition.maximumCount {
                try mirror.mirror(
                    second.advanced(by: number), Chart(96, 64).jpeg(), "jpg")
            }
            try await mirror.make()
            #expect(try await mirror.thumbnails.renderNewest() == 1)
            #expect(try names(in: mirror) == ["2024-05-02.jpg", "mine.jpg"])
        }
    }

    @Test func aReplacedPictureGetsANewRenditionAndARemovedOneHasNone() async throws {
        try await withCharts { mirror in
            let day = MirrorOfCharts.crab
            let picture = MirrorOfCharts.path(of: day, "jpg")
            try mirror.mirror(day, Self.large, "jpg")
            try await mirror.make()
            _ = try await mirror.thumbnails.renderNewest()
            let before = try mirror.tree.root.read(Rendition.path(of: day))
            try mirror.mirror(day, Self.large + [0], "jpg")
            try mirror.tree.root.setModified(day.noon + 1, of: picture)
            try await mirror.make()

            #expect(try await mirror.thumbnails.renderNewest() == 1)
            #expect(try mirror.tree.root.read(Rendition.path(of: day)) != before)
            // By its time a browser and rsync(1) find it.
            #expect(try mirror.tree.root.status(Rendition.path(of: day))?.modified == day.noon + 1)

            try mirror.tree.root.remove(picture)
            #expect(try await mirror.thumbnails.renderNewest() == 1)
            #expect(try names(in: mirror) == [])
        }
    }

    /// A run ends while a rendition is made; the same process makes it afterwards.
    @Test func aCancelledRenditionIsNoFailure() async throws {
        try await withCharts { mirror in
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            let started = "\(mirror.root)/started"
            _ = unsafe mkfifo(started, 0o600)
            try mirror.decodeOnceBy("head -c 1 > /dev/null; : > \"\(started)\"; exec sleep 1000")
            let thumbnails = try mirror.thumbnails
            let task = Task { try await thumbnails.renderNewest() }
            _ = try await Task.detached {
                try FileDescriptor(opening: started, O_RDONLY).readToEnd(limit: 1, path: started)
            }.value
            task.cancel()
            _ = await task.result

            #expect(try await thumbnails.renderNewest() == 1)
            #expect(try names(in: mirror) == ["\(MirrorOfCharts.crab).jpg"])
        }
    }
}
