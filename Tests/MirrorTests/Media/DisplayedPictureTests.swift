import Glibc
import MediaFormat
import PictureSamples
import Platform
import TestSupport
import Testing
import ThumbnailRenderer

@testable import Mirror

/// A picture is described as browsers display it, and rejected if they do not.
@Suite(.timeLimit(.minutes(10))) struct DisplayedPictureTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    private static let chart = Chart(96, 64)

    /// 96 by 64 pixels, to be turned by a quarter.
    static let portraits = [
        Sample(
            name: "JPEG",
            bytes: ExifData.inserted(ExifData.bytes(orientation: 6), intoJPEG: chart.jpeg())),
        Sample(
            name: "PNG",
            bytes: chart.png(.truecolor, exif: ExifData.bytes(orientation: 8, isBig: false))),
        Sample(
            name: "WebP",
            bytes: ExifData.inserted(ExifData.bytes(orientation: 5), intoWebP: chart.webp())),
        Sample(name: "TIFF", bytes: tiff(orientation: 7)),
        Sample(name: "HEIC", bytes: heic(turns: 3)),
    ]

    @Test(arguments: portraits) func sidesAreThoseOfTheUprightPicture(_ sample: Sample) async throws
    {
        #expect(try await header(sample.bytes).size == PixelSize(width: 64, height: 96))
    }

    @Test func halfATurnKeepsTheSides() async throws {
        let turned = ExifData.inserted(ExifData.bytes(orientation: 3), intoJPEG: Self.chart.jpeg())

        #expect(try await header(turned).size == PixelSize(width: 96, height: 64))
        #expect(try await header(Self.heic(turns: 2)).size == PixelSize(width: 96, height: 64))
    }

    static let unusual: [Sample] = {
        let (jpeg, gif) = (chart.jpeg(), chart.gif())
        let zeros = [UInt8](repeating: 0, count: 26)
        var smallScreen = gif
        smallScreen.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        return [
            Sample(name: "zeros before DQT", bytes: inserting(zeros, before: 0xdb, of: jpeg)),
            Sample(name: "zeros before SOF", bytes: inserting(zeros, before: 0xc0, of: jpeg)),
            Sample(
                name: "a stuffed byte before SOF",
                bytes: inserting([0x7f, 0xff, 0], before: 0xc0, of: jpeg)),
            Sample(name: "padding before SOS", bytes: inserting([0, 1], before: 0xda, of: jpeg)),
            Sample(
                name: "a cut second JPEG behind the end",
                bytes: jpeg + jpeg.prefix(jpeg.count / 2)),
            // The Multi-Picture Format of cameras.
            Sample(name: "a whole second JPEG behind the end", bytes: jpeg + jpeg),
            Sample(name: "a GIF without a trailer", bytes: gif.dropLast()),
            Sample(
                name: "a GIF with other bytes in place of its trailer",
                bytes: Array(gif.dropLast()) + [0xff, 1, 2]),
            Sample(name: "a GIF with an empty screen", bytes: smallScreen),
        ]
    }()

    @Test(arguments: unusual) func whatBrowsersShowIsAccepted(_ sample: Sample) async throws {
        #expect(try await header(sample.bytes).size == PixelSize(width: 96, height: 64))
        #expect(throws: Never.self) { try Self.thumbnail(of: sample.bytes) }
    }

    static let unreadable: [Sample] = {
        let jpeg = chart.jpeg()
        return [
            Sample(
                name: "two starts of a JPEG",
                bytes: inserting([0xff, 0xd8], before: 0xdb, of: jpeg)),
            Sample(
                name: "a reserved marker",
                bytes: inserting([0xff, 0xf2, 0, 2], before: 0xc0, of: jpeg)),
        ]
    }()

    @Test(arguments: unreadable) func whatNoBrowserShowsIsRejected(_ sample: Sample) async throws {
        await #expect(throws: MediaHeader.Refusal.damaged(.jpeg)) { try await header(sample.bytes) }
        #expect(throws: PictureError.self) { try Self.thumbnail(of: sample.bytes) }
    }

    /// As a download leaves it that began again in the middle of the file, with so many bytes behind it.
    @Test(arguments: [0, 9]) func aJPEGBeforeTheEndOfAnotherIsRejected(padding: Int) async {
        let jpeg = Self.chart.jpeg()
        let file: [UInt8] = jpeg.dropLast(2) + jpeg + [UInt8](repeating: 0, count: padding)

        await #expect(throws: MediaHeader.Refusal.cut(.jpeg)) { try await header(file) }
        #expect(throws: PictureError.self) { try Self.thumbnail(of: file) }
    }

    @Test func aGIFWhoseFrameIsCutIsRejected() async {
        let gif = Self.chart.gif()
        for missing in [2, 20, 100] {
            await #expect(throws: MediaHeader.Refusal.cut(.gif)) {
                try await header(gif.dropLast(missing))
            }
        }
    }

    /// The chunk that makes a PNG an animation counts only before the pixels; see PNG 11.3.6.1.
    @Test func onlyPicturesThatMoveAreAnimated() async throws {
        let png = Self.chart.png(.truecolor)
        let moving = Chart.moving(png)
        // Before the end of the file, which has 12 bytes.
        let late = png.dropLast(12) + moving[33..<moving.count - png.count + 33] + png.suffix(12)

        #expect(try await header(moving).isAnimated)
        #expect(try await !header(late).isAnimated)
        #expect(try await header(Chart.movingWebP).isAnimated)
        #expect(try await !header(Self.chart.webp()).isAnimated)
    }

    /// Decoding has a limit of pixels, storing has none.
    @Test func aHugePictureIsAcceptedWithoutAThumbnail() async throws {
        let panorama = PNGFile.black(30_000, 20_000)
        #expect(panorama.count < 100_000)

        #expect(try await header(panorama).size == PixelSize(width: 30_000, height: 20_000))
        #expect(throws: PictureError.self) { try Self.thumbnail(of: panorama) }
    }

    private static func thumbnail(of file: [UInt8]) throws -> [UInt8] {
        try Thumbnailer.thumbnail(of: file.span, comment: "a test")
    }

    /// `bytes` before the first segment `marker` of `jpeg`.
    private static func inserting(
        _ bytes: [UInt8], before marker: UInt8, of jpeg: [UInt8]
    ) -> [UInt8] {
        let place = jpeg.indices.first { jpeg[$0...].starts(with: [0xff, marker, 0]) } ?? 0
        return jpeg[..<place] + bytes + jpeg[place...]
    }

    private static func tiff(orientation: UInt8) -> [UInt8] {
        func entry(_ tag: UInt8, _ value: UInt8) -> [UInt8] {
            [1, tag, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]
        }
        return [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 3] + entry(0, 96) + entry(1, 64)
            + entry(18, orientation) + [0, 0, 0, 0]
    }

    /// See ISO 23008-12, sections 6.5.3 and 6.5.10; a tile, the picture, and quarter turns counterclockwise.
    private static func heic(turns: UInt8) -> [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        func size(_ width: UInt8, _ height: UInt8) -> [UInt8] {
            box("ispe", [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height])
        }
        let properties = size(48, 32) + size(96, 64) + box("irot", [turns])
        return box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
            + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", properties)))
    }

    /// The header of a whole file.
    private func header(_ bytes: some Collection<UInt8> & Sendable) async throws -> MediaHeader {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/file", O_RDWR | O_CREAT)
            try file.write(Array(bytes), path: path)
            let header = try MediaHeader(reading: file)
            try header.checkEnd(of: file)
            return header
        }
    }
}
