import APOD
import MirrorTesting
import PictureSamples
import Platform
import Simulator
import Testing

@testable import Mirror

/// A sync publishes a picture as it is, and records it as it is displayed.
@Suite(.timeLimit(.minutes(10))) struct UnusualPictureTests {
    private static let day = MirrorUnderTest.newest.advanced(by: -2)

    /// Runs `body` with a mirror that was synced once with a NASA whose picture of the day is `source`, and its record.
    private func withPicture(
        _ name: String, _ source: PictureSource,
        _ body: (MirrorUnderTest, PictureRecord) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            mirror.simulator.publish(
                SimulatedEntry(
                    day: Self.day, title: "A View", explanationHTML: "It is wide.",
                    media: .picture(SimulatedPicture(name: name, source: source))))
            await mirror.sync()
            let picture = try #require(try mirror.store.record(of: Self.day)?.picture)
            try await body(mirror, picture)
        }
    }

    /// NASA announces the size of the upright picture, of the stored one, and of one that is larger than both.
    @Test(arguments: [(64, 96, false), (96, 64, false), (128, 192, true)])
    func aPortraitThatIsStoredSidewaysIsRecordedUpright(
        announcedWidth: Int, announcedHeight: Int, isReduced: Bool
    ) async throws {
        let bytes = ExifData.inserted(
            ExifData.bytes(orientation: 6), intoJPEG: Chart(96, 64).jpeg())
        let source = PictureSource.bytes(bytes, width: announcedWidth, height: announcedHeight)
        try await withPicture("portrait.jpg", source) { mirror, picture in
            #expect(picture.width == 64 && picture.height == 96)
            #expect(picture.isReduced == isReduced)
            #expect(try mirror.tree.root.read(picture.path) == bytes)
            let retry = try mirror.store.state().retries[Self.day]
            let expected = isReduced ? RetryState.Cause.reduced : nil
            #expect(retry?.cause == expected)
        }
    }

    /// Decoding has a limit of pixels, storing has none.
    @Test func aHugePictureIsPublished() async throws {
        let panorama = PNGFile.black(30_000, 20_000)
        let source = PictureSource.bytes(panorama, width: 30_000, height: 20_000)
        try await withPicture("panorama.png", source) { mirror, picture in
            #expect(picture.width == 30_000 && picture.height == 20_000)
            #expect(picture.type == "image/png" && !picture.isReduced)
            #expect(try mirror.tree.root.read(picture.path) == panorama)
            let retry = try mirror.store.state().retries[Self.day]
            #expect(retry == nil)
        }
    }
}
