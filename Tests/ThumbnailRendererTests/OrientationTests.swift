import MediaFormat
import PictureSamples
import Testing

@testable import ThumbnailRenderer

@Suite(.timeLimit(.minutes(10))) struct OrientationTests {
    /// The positions of the four fields of the stored picture; see Exif 2.32, 4.6.4.
    private static let seen: [Orientation: [Int]] = [
        .upright: [0, 1, 2, 3], .mirrored: [1, 0, 3, 2], .upsideDown: [3, 2, 1, 0],
        .mirroredUpsideDown: [2, 3, 0, 1], .transposed: [0, 2, 1, 3],
        .onLeftSide: [2, 0, 3, 1],
        .transposedUpsideDown: [3, 1, 2, 0], .onRightSide: [1, 3, 0, 2],
    ]

    @Test(arguments: Orientation.allCases, [false, true])
    func aJPEGIsOriented(_ orientation: Orientation, _ isBig: Bool) throws {
        let exif = ExifData.bytes(orientation: orientation.rawValue, isBig: isBig)
        let small = try thumbnail(of: ExifData.inserted(exif, intoJPEG: Chart(96, 64).jpeg()))

        let expected = try #require(Self.seen[orientation]).map { Chart.fields[$0] }
        #expect(try areAlike(fields(of: small), expected))
        let size = try decoded(small).size
        #expect((size.width > size.height) != orientation.isSideways)
    }

    @Test func aPNGAndAWebPAreOriented() throws {
        let (chart, exif) = (Chart(96, 64), ExifData.bytes(orientation: 6))
        let expected = try #require(Self.seen[.onLeftSide]).map { Chart.fields[$0] }
        for file in [
            chart.png(.truecolor, exif: exif), ExifData.inserted(exif, intoWebP: chart.webp()),
        ] {
            #expect(try areAlike(fields(of: thumbnail(of: file)), expected))
        }
    }

    @Test(
        arguments: [
            [], Array("MM".utf8), ExifData.bytes(orientation: 0), ExifData.bytes(orientation: 9),
            ExifData.bytes(orientation: 65_535), Array(ExifData.bytes(orientation: 6).prefix(19)),
            // A directory far outside, one in itself, one of 65,535 entries.
            Array("MM\0*".utf8) + [0xff, 0xff, 0xff, 0xff], Array("MM\0*".utf8) + [0, 0, 0, 0],
            Array("II*\0".utf8) + [8, 0, 0, 0, 0xff, 0xff, 0, 0],
            // A value that is no number of two bytes.
            Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{2}\0\0\0\u{1}\0\u{6}\0\0".utf8),
        ] as [[UInt8]])
    func invalidExifDataIsIgnored(_ exif: [UInt8]) throws {
        let file = ExifData.inserted(exif, intoJPEG: Chart(96, 64).jpeg())
        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
    }
}
