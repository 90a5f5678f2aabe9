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

    /// A picture, the size that NASA announces, and what is recorded.
    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]
        let announced: (Int, Int)
        let size: (Int, Int)
        var isReduced = false
    }

    private static let sideways = ExifData.inserted(
        ExifData.bytes(orientation: 6), intoJPEG: Chart(96, 64).jpeg())

    private static let cases = [
        // The size of the upright picture, of the stored one, and of one that is larger than both.
        Case(name: "a.jpg", bytes: sideways, announced: (64, 96), size: (64, 96)),
        Case(name: "a.jpg", bytes: sideways, announced: (96, 64), size: (64, 96)),
        Case(
            name: "a.jpg", bytes: sideways, announced: (128, 192), size: (64, 96), isReduced: true),
        // Decoding has a limit of pixels, storing has none.
        Case(
            name: "a.png", bytes: PNGFile.black(30_000, 20_000), announced: (30_000, 20_000),
            size: (30_000, 20_000)),
    ]

    @Test(arguments: cases.indices)
    func aPictureIsPublishedAsItIsAndRecordedAsItIsDisplayed(index: Int) async throws {
        let test = Self.cases[index]
        let source = PictureSource.bytes(
            test.bytes, width: test.announced.0, height: test.announced.1)
        try await withMirror { mirror in
            mirror.simulator.publish(
                SimulatedEntry(
                    day: Self.day, title: "A View", explanationHTML: "It is wide.",
                    media: .picture(SimulatedPicture(name: test.name, source: source))))

            await mirror.sync()

            let picture = try #require(try mirror.record(2).picture)
            #expect(picture.width == test.size.0 && picture.height == test.size.1)
            #expect(picture.isReduced == test.isReduced)
            #expect(try mirror.tree.root.read(picture.path) == test.bytes)
            let retry = try mirror.store.state().retries[Self.day]
            #expect(retry?.cause == (test.isReduced ? .reduced : nil))
        }
    }
}
