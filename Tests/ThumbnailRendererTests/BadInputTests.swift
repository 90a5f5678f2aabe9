import MediaFormat
import PictureSamples
import TestSupport
import Testing

@testable import ThumbnailRenderer

/// Invalid files are rejected with a reason; truncated ones are rendered in part; nothing else
/// happens.
@Suite(.timeLimit(.minutes(10))) struct BadInputTests {
    private static let chart = Chart(96, 64)

    private static let files: [(name: String, bytes: [UInt8])] = [
        ("JPEG", chart.jpeg()), ("progressive JPEG", chart.jpeg(.progressive)),
        ("JPEG of four inks", chart.jpeg(.fourInks)), ("PNG", chart.png(.deepAlpha)),
        ("interlaced PNG", chart.png(.paletteWithNone, isInterlaced: true)),
        ("GIF", chart.gif(offset: 3, transparent: 2, frames: 2)),
        ("interlaced GIF", chart.gif(isInterlaced: true)),
        ("WebP", chart.webp(hasOpacity: true)), ("lossless WebP", chart.webp(isLossless: true)),
        ("moving WebP", Chart.movingWebP),
    ]

    /// A valid thumbnail, or a reason.
    private func check(_ bytes: [UInt8]) throws {
        let small: [UInt8]
        do throws(PictureError) {
            small = try thumbnail(of: bytes)
        } catch {
            #expect(!error.description.isEmpty)
            return
        }
        let size = try decoded(small).size
        #expect(size.longSide <= 512)
    }

    @Test(
        arguments: [
            [], Array("<!DOCTYPE html><title>404</title>".utf8), [0xff, 0xd8],
            Array("GIF88a".utf8), [0], Array("II*\0\u{8}\0\0\0".utf8),
            Array("RIFF\0\0\0\0WAVE".utf8),
        ] as [[UInt8]])
    func aFileThatIsNotAPictureIsRejected(_ bytes: [UInt8]) {
        #expect(throws: PictureError.unknown) { try thumbnail(of: bytes) }
    }

    @Test(arguments: files.indices)
    func aTruncatedFileIsRenderedInPartOrRejected(_ index: Int) throws {
        let file = Self.files[index].bytes
        let places = Set(0..<min(80, file.count)).union(stride(from: 0, to: file.count, by: 37))
        for count in places.union([file.count - 1, file.count - 2]) {
            try check(Array(file[..<count]))
        }
    }

    @Test(arguments: files.indices)
    func aFileWithWrongBytesIsRenderedOrRejected(_ index: Int) throws {
        var random = SplitMix(state: UInt64(index) + 1)
        for _ in 0..<200 {
            var file = Self.files[index].bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Mostly in the headers.
                let end = Bool.random(using: &random) ? min(64, file.count) : file.count
                file[Int.random(in: 4..<end, using: &random)] = .random(in: 0...255, using: &random)
            }
            try check(file)
        }
    }

    /// `file` with other bytes from `place` on.
    private static func changed(_ file: [UInt8], _ place: Int, _ bytes: [UInt8]) -> [UInt8] {
        file[..<place] + bytes + file[(place + bytes.count)...]
    }

    private static let losslessWebP = chart.webp(isLossless: true)

    static let bombs: [(file: [UInt8], reason: PictureError)] = [
        (PNGFile.black(30_000, 30_000), .tooLarge(.init(width: 30_000, height: 30_000))),
        // The screen of a GIF.
        (
            changed(chart.gif(), 6, [0xff, 0xff, 0xff, 0xff]),
            .tooLarge(.init(width: 65_535, height: 65_535))
        ),
        // The canvas of an animated WebP: width and height less one, three bytes each: 20,000 by 20,000.
        (changed(Chart.movingWebP, 24, [0x1f, 0x4e, 0, 0x1f, 0x4e, 0]), .exceedsMemoryLimit),
        // A lossless WebP: width and height less one, 14 bits each: 16,384 by 16,384.
        (
            changed(losslessWebP, 21, [0xff, 0xff, 0xff, losslessWebP[24] | 0x0f]),
            .exceedsMemoryLimit
        ),
    ]

    @Test(arguments: bombs)
    func aDecompressionBombIsRejectedByItsSize(file: [UInt8], reason: PictureError) {
        #expect(file.count < 120_000)
        #expect(throws: reason) { try thumbnail(of: file) }
    }

    /// Where a marker segment of less than 256 bytes begins.
    private func segment(_ marker: UInt8, of file: [UInt8]) throws -> Int {
        let start = file.indices.first { file[$0...].starts(with: [0xff, marker, 0]) }
        return try #require(start)
    }

    @Test func theFirstOfAHundredThousandFramesIsShown() throws {
        let (one, two) = (Chart(32, 32).gif(), Chart(32, 32).gif(frames: 2))
        let frame = two.dropLast().suffix(two.count - one.count)
        let all = one.dropLast() + repeated(Array(frame), 99_999) + [0x3b]

        let small = try thumbnail(of: all)

        #expect(try areAlike(fields(of: small), Chart.fields))
    }

    @Test func aColorProfileOfAHundredMegabytesIsIgnored() throws {
        let file = Self.chart.profiledJPEG(segments: 1600)
        #expect(file.count > 100_000_000)

        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
        try check(PNGFile.profiled(100 << 20))
    }

    /// Each takes time for all pixels.
    @Test func manyHundredsOfScansAreRejected() throws {
        let file = Self.chart.jpeg(.progressive)
        let starts = file.indices.dropLast().filter { file[$0...].starts(with: [0xff, 0xda]) }
        let last = try #require(starts.last)
        let scan = Array(file[last..<file.count - 2])

        #expect(throws: PictureError.self) {
            try thumbnail(of: file[..<last] + repeated(scan, 600) + [0xff, 0xd9])
        }
    }

    /// libjpeg skips them, too.
    @Test func bytesBetweenTheSegmentsOfAJPEGAreSkipped() throws {
        var file = Self.chart.jpeg()
        let frame = try segment(0xc0, of: file)
        file.insert(contentsOf: [0x00, 0x7f, 0xff, 0x00], at: frame)

        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
    }

    /// The first color of the palette is red.
    @Test func missingRowsOfAnInterlacedGIFAreBlack() throws {
        let file = Chart(480, 320).gif(isInterlaced: true)

        let pixels = try decoded(thumbnail(of: Array(file[..<(file.count / 2)])))

        // The field at the lower left is blue.
        let reds = (200..<300).map { Int(pixels.color(100, $0).x) }
        #expect(reds.reduce(0, +) / reds.count < 60)
    }
}
