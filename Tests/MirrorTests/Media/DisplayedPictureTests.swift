import MediaFormat
import PictureSamples
import Testing
import ThumbnailRenderer

@testable import Mirror

/// A picture is described as browsers display it, and rejected if they do not.
@Suite(.timeLimit(.minutes(10))) struct DisplayedPictureTests {
    private static let chart = Chart(96, 64)

    /// 96 by 64 pixels, to be turned by a quarter, or by a half.
    static let turned = [
        MediaSample(
            name: "JPEG",
            bytes: ExifData.inserted(ExifData.bytes(orientation: 6), intoJPEG: chart.jpeg())),
        MediaSample(
            name: "PNG",
            bytes: chart.png(.truecolor, exif: ExifData.bytes(orientation: 8, isBig: false))),
        MediaSample(
            name: "WebP",
            bytes: ExifData.inserted(ExifData.bytes(orientation: 5), intoWebP: chart.webp())),
        MediaSample(name: "TIFF", bytes: tiff(orientation: 7)),
        MediaSample(name: "HEIC", bytes: heic(turns: 3)),
        MediaSample(
            name: "JPEG by a half",
            bytes: ExifData.inserted(ExifData.bytes(orientation: 3), intoJPEG: chart.jpeg())),
        MediaSample(name: "HEIC by a half", bytes: heic(turns: 2)),
    ]

    @Test(arguments: turned)
    func sidesAreThoseOfTheUprightPicture(_ sample: MediaSample) async throws {
        let isByHalf = sample.name.hasSuffix("by a half")
        let size = try await mediaHeader(of: sample.bytes, isWhole: true).size
        #expect(size == PixelSize(width: isByHalf ? 96 : 64, height: isByHalf ? 64 : 96))
    }

    static let unusual: [MediaSample] = {
        let (jpeg, gif) = (chart.jpeg(), chart.gif())
        let zeros = [UInt8](repeating: 0, count: 26)
        var smallScreen = gif
        smallScreen.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        return [
            MediaSample(name: "zeros before DQT", bytes: inserting(zeros, before: 0xdb, of: jpeg)),
            MediaSample(name: "zeros before SOF", bytes: inserting(zeros, before: 0xc0, of: jpeg)),
            MediaSample(
                name: "a stuffed byte before SOF",
                bytes: inserting([0x7f, 0xff, 0], before: 0xc0, of: jpeg)),
            MediaSample(
                name: "padding before SOS", bytes: inserting([0, 1], before: 0xda, of: jpeg)),
            MediaSample(
                name: "a cut second JPEG behind the end",
                bytes: jpeg + jpeg.prefix(jpeg.count / 2)),
            // The Multi-Picture Format of cameras.
            MediaSample(name: "a whole second JPEG behind the end", bytes: jpeg + jpeg),
            MediaSample(name: "a GIF without a trailer", bytes: gif.dropLast()),
            MediaSample(
                name: "a GIF with other bytes in place of its trailer",
                bytes: Array(gif.dropLast()) + [0xff, 1, 2]),
            MediaSample(name: "a GIF with an empty screen", bytes: smallScreen),
        ]
    }()

    @Test(arguments: unusual) func whatBrowsersShowIsAccepted(_ sample: MediaSample) async throws {
        #expect(
            try await mediaHeader(of: sample.bytes, isWhole: true).size
                == PixelSize(width: 96, height: 64))
        #expect(throws: Never.self) { try Self.thumbnail(of: sample.bytes) }
    }

    static let unreadable: [MediaSample] = {
        let jpeg = chart.jpeg()
        return [
            MediaSample(
                name: "two starts of a JPEG",
                bytes: inserting([0xff, 0xd8], before: 0xdb, of: jpeg)),
            MediaSample(
                name: "a reserved marker",
                bytes: inserting([0xff, 0xf2, 0, 2], before: 0xc0, of: jpeg)),
        ]
    }()

    @Test(arguments: unreadable) func whatNoBrowserShowsIsRejected(
        _ sample: MediaSample
    ) async throws {
        let refusal = try await mediaRefusal(of: sample.bytes, isWhole: true)
        #expect(refusal == "a damaged image/jpeg: no size in its header")
        #expect(throws: PictureError.self) { try Self.thumbnail(of: sample.bytes) }
    }

    /// As a download leaves it that began again in the middle of the file, with so many bytes behind it.
    @Test(arguments: [0, 9]) func aJPEGBeforeTheEndOfAnotherIsRejected(padding: Int) async throws {
        let jpeg = Self.chart.jpeg()
        let file: [UInt8] = jpeg.dropLast(2) + jpeg + [UInt8](repeating: 0, count: padding)

        let refusal = try await mediaRefusal(of: file, isWhole: true)
        #expect(refusal == "a truncated image/jpeg")
        #expect(throws: PictureError.self) { try Self.thumbnail(of: file) }
    }

    /// The chunk that makes a PNG an animation counts only before the pixels; see PNG 11.3.6.1.
    @Test func onlyPicturesThatMoveAreAnimated() async throws {
        let png = Self.chart.png(.truecolor)
        let moving = Chart.moving(png)
        // Before the end of the file, which has 12 bytes.
        let late = png.dropLast(12) + moving[33..<moving.count - png.count + 33] + png.suffix(12)

        #expect(try await mediaHeader(of: moving, isWhole: true).isAnimated)
        #expect(try await !mediaHeader(of: Array(late), isWhole: true).isAnimated)
        #expect(try await mediaHeader(of: Chart.movingWebP, isWhole: true).isAnimated)
        #expect(try await !mediaHeader(of: Self.chart.webp(), isWhole: true).isAnimated)
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
        func size(_ width: UInt8, _ height: UInt8) -> [UInt8] {
            box("ispe", [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height])
        }
        let properties = size(48, 32) + size(96, 64) + box("irot", [turns])
        return box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
            + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", properties)))
    }
}
