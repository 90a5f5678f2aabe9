import APOD
import Glibc
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing
import Thumbnails

/// The picture of the first page of the gallery, where the original of the newest day is very large.
@Suite(.timeLimit(.minutes(2))) struct RenditionTests {
    /// More bytes than everybody should load who opens the page; decoders read no further than the end.
    private static let large =
        Chart(2400, 1700).jpeg() + [UInt8](repeating: 0, count: 6_000_001)

    private func size(of day: Day, in mirror: MirrorOfCharts) throws -> (Int, Int)? {
        let path = Rendition.path(of: day)
        guard try mirror.tree.root.status(path)?.kind == .file else { return nil }
        return try MediaHeader(reading: mirror.tree.root.open(path, O_RDONLY)).size
            .map { ($0.width, $0.height) }
    }

    @Test func aVeryLargeNewestPictureIsMadeSmallerOnce() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            let thumbnails = try mirror.thumbnails
            #expect(try await !thumbnails.renderNewest())
            try await mirror.make()

            #expect(try await thumbnails.renderNewest())
            #expect(try size(of: MirrorOfCharts.crab, in: mirror) ?? (0, 0) == (1600, 1133))
            #expect(try await !mirror.thumbnails.renderNewest())
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test func onlyTheNewestDayHasOne() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            _ = try await mirror.thumbnails.renderNewest()
            mirror.write(Array("mine".utf8), to: "\(Rendition.folder)/mine.jpg")
            try mirror.mirror(
                MirrorOfCharts.crab.advanced(by: 1), Chart(96, 64).jpeg(), "jpg")
            try await mirror.make()

            #expect(try await mirror.thumbnails.renderNewest())
            #expect(try mirror.tree.root.folder(Rendition.folder)?.textNames() == ["mine.jpg"])
        }
    }

    @Test func aPictureThatNASAReplacedGetsANewOne() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            _ = try await mirror.thumbnails.renderNewest()
            mirror.write(
                Chart(96, 64).jpeg(), to: ".apod-mirror/previous/2026-11-20 r1 A Chart.jpg")
            try mirror.mirror(
                MirrorOfCharts.crab, Self.large + [0], "jpg")
            let before = try mirror.tree.root.read(Rendition.path(of: MirrorOfCharts.crab))
            try await mirror.make()

            #expect(try await mirror.thumbnails.renderNewest())
            #expect(try mirror.tree.root.read(Rendition.path(of: MirrorOfCharts.crab)) != before)
        }
    }

    @Test func whatCannotBeMadeIsNotTriedAgainAndAgain() async throws {
        try await withTemporaryFolder { root in
            let mirror = try MirrorOfCharts(root)
            try mirror.mirror(MirrorOfCharts.crab, Self.large, "jpg")
            try await mirror.make()
            try mirror.decodeBy("exit 1")
            let thumbnails = try mirror.thumbnails

            await #expect(throws: (any Error).self) { try await thumbnails.renderNewest() }
            #expect(try await !thumbnails.renderNewest())
        }
    }
}
