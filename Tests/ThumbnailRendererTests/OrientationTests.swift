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

    /// Exif data with `orientation` only.
    private static func exif(_ orientation: Int, isBig: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ length: Int) -> [UInt8] {
            let bytes = (0..<length).map { UInt8(value >> (8 * $0) & 0xff) }
            return isBig ? bytes.reversed() : bytes
        }
        return Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
            + number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
            + number(0, 4)
    }

    @Test(arguments: Orientation.allCases, [false, true])
    func aJPEGIsOriented(_ orientation: Orientation, _ isBig: Bool) throws {
        let exif = Array("Exif\0\0".utf8) + Self.exif(orientation.rawValue, isBig: isBig)
        let small = try thumbnail(of: inserting(0xe1, exif, into: Chart(96, 64).jpeg()))

        let expected = try #require(Self.seen[orientation]).map { Chart.fields[$0] }
        #expect(try areAlike(fields(of: small), expected))
        let size = try decoded(small).size
        #expect((size.width > size.height) != orientation.isSideways)
    }

    @Test func aPNGIsOriented() throws {
        let small = try thumbnail(of: Chart(96, 64).png(.truecolour, exif: Self.exif(6)))

        let expected = try #require(Self.seen[.onLeftSide]).map { Chart.fields[$0] }
        #expect(try areAlike(fields(of: small), expected))
    }

    @Test func aWebPIsOriented() throws {
        let small = try thumbnail(of: extended(Chart(96, 64).webp(), with: Self.exif(6)))

        let expected = try #require(Self.seen[.onLeftSide]).map { Chart.fields[$0] }
        #expect(try areAlike(fields(of: small), expected))
    }

    /// A simple WebP file with Exif data; see RFC 9649, section 2.7.
    private func extended(_ file: [UInt8], with exif: [UInt8]) -> [UInt8] {
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let count = (0..<4).map { UInt8(bytes.count >> (8 * $0) & 0xff) }
            return Array(name.utf8) + count + bytes + (bytes.count % 2 == 0 ? [] : [0])
        }
        let header = chunk("VP8X", [8, 0, 0, 0, 95, 0, 0, 63, 0, 0])
        let body = Array("WEBP".utf8) + header + file[12...] + chunk("EXIF", exif)
        return chunk("RIFF", body)
    }

    @Test(
        arguments: [
            [], Array("MM".utf8), exif(0), exif(9), exif(65_535), Array(exif(6).prefix(19)),
            // A directory far outside, one in itself, one of 65,535 entries.
            Array("MM\0*".utf8) + [0xff, 0xff, 0xff, 0xff], Array("MM\0*".utf8) + [0, 0, 0, 0],
            Array("II*\0".utf8) + [8, 0, 0, 0, 0xff, 0xff, 0, 0],
            // A value that is no number of two bytes.
            Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{2}\0\0\0\u{1}\0\u{6}\0\0".utf8),
        ] as [[UInt8]])
    func invalidExifDataIsIgnored(_ exif: [UInt8]) throws {
        #expect(Orientation(exif: exif.span) == nil)
        let file = inserting(0xe1, Array("Exif\0\0".utf8) + exif, into: Chart(96, 64).jpeg())
        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
    }
}
