import MediaFormat
import Testing

@testable import Mirror

@Suite struct MediaHeaderTests {
    static let pictures: [(MediaSample, MediaType)] = [
        (MediaSample(name: "JPEG", bytes: jpeg(segments: [])), .jpeg),
        (
            MediaSample(
                name: "JPEG behind 3 MB of ICC",
                bytes: jpeg(segments: Array(repeating: 65_000, count: 46))), .jpeg
        ),
        (MediaSample(name: "progressive JPEG", bytes: jpeg(segments: [20], frame: 0xc2)), .jpeg),
        (MediaSample(name: "PNG", bytes: png(width: 640, height: 480)), .png),
        (
            MediaSample(
                name: "GIF",
                bytes: Array("GIF89a".utf8) + [0x80, 2, 0xe0, 1, 0, 0, 0]
                    + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]), .gif
        ),
        (
            MediaSample(
                name: "WebP lossy",
                bytes: webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 2, 0xe0, 1])), .webp
        ),
        (
            MediaSample(name: "WebP lossless", bytes: webp("VP8L", [0x2f, 0x7f, 0xc2, 0x77, 0])),
            .webp
        ),
        (
            MediaSample(
                name: "WebP extended", bytes: webp("VP8X", [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])),
            .webp
        ),
        (MediaSample(name: "TIFF, little-endian", bytes: tiff(isBig: false)), .tiff),
        (MediaSample(name: "TIFF, big-endian", bytes: tiff(isBig: true)), .tiff),
    ]

    @Test(arguments: pictures)
    func typeAndSizeAreRecognized(sample: MediaSample, type: MediaType) async throws {
        let header = try await mediaHeader(of: sample.bytes)

        #expect(header.type == type)
        #expect(header.size == PixelSize(width: 640, height: 480))
    }

    private static let start = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0])

    /// Its length has 64 bits.
    private static let longBox: [UInt8] =
        [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]

    /// ISO 14496-12, section 4.2: the length 0 means that the box extends to the end of the file.
    private static let lastBox: [UInt8] = [0, 0, 0, 0] + Array("moov".utf8) + [1, 2, 3]

    static let videos: [(bytes: [UInt8], type: MediaType)] = [
        (minimalFilm(), .mp4),
        (start + longBox + box("moov"), .mp4), (start + lastBox, .mp4),
        // The container of QuickTime is older than the box that names its type.
        (box("wide") + box("moov"), .mov), (box("moov"), .mov), (box("mdat") + box("moov"), .mov),
        ([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8), .webm),
    ]

    @Test(arguments: videos)
    func aVideoIsRecognized(bytes: [UInt8], type: MediaType) async throws {
        let header = try await mediaHeader(of: bytes)

        #expect(header.type == type && header.size == nil)
    }

    @Test(arguments: ["isom", "avif", "heic"])
    func aFileOfFreeBoxesIsDamaged(brand: String) async {
        let bytes =
            box("ftyp", Array(brand.utf8) + [0, 0, 2, 0])
            + Array(repeatElement(box("free"), count: 2_000).joined())
        await #expect(throws: MediaHeader.Refusal.self) { try await mediaHeader(of: bytes) }
    }

    @Test(arguments: pictures)
    func aTruncatedHeaderIsRejected(sample: MediaSample, type: MediaType) async throws {
        for length in [0, 1, 4, 10, 16] where length < sample.bytes.count - 4 {
            await #expect(throws: MediaHeader.Refusal.self) {
                try await mediaHeader(of: Array(sample.bytes.prefix(length)))
            }
        }
    }

    @Test func otherFilesAreRejected() async {
        await #expect(throws: MediaHeader.Refusal.empty) { try await mediaHeader(of: []) }
        await #expect(throws: MediaHeader.Refusal.html) {
            try await mediaHeader(of: Array("\u{feff}\n <!doctype html><html>…</html>".utf8))
        }
        await #expect(throws: MediaHeader.Refusal.self) {
            try await mediaHeader(
                of: [0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88] + Array("matroska".utf8))
        }
        await #expect(throws: MediaHeader.Refusal.unknown(firstBytes: Array("%PDF-1.7".utf8))) {
            try await mediaHeader(of: Array("%PDF-1.7 and so on".utf8))
        }
    }

    /// 640 x 480 behind `segments`, each so many bytes long.
    private static func jpeg(segments: [Int], frame: UInt8 = 0xc0) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        for length in segments {
            bytes += [0xff, 0xe2, UInt8(length >> 8), UInt8(length & 255)]
            bytes += [UInt8](repeating: 0xff, count: length - 2)
        }
        return bytes + [0xff, 0xff, frame, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 1, 0x11, 0]
    }

    private static func png(width: Int, height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + bigEndian(13) + Array("IHDR".utf8)
            + bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    }

    private static func webp(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [100, 0, 0, 0] + Array("WEBP\(kind)".utf8) + [30, 0, 0, 0] + payload
    }

    /// The directory at the end of the file, as most programs write it.
    private static func tiff(isBig: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isBig ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(1, 4) + value
        }
        return (isBig ? [0x4d, 0x4d, 0, 0x2a] : [0x49, 0x49, 0x2a, 0]) + number(1000, 4)
            + [UInt8](repeating: 7, count: 992) + number(3, 2)
            + entry(254, 4, number(0, 4))
            + entry(256, 3, number(640, 2) + [0, 0])
            + entry(257, 4, number(480, 4))
    }
}
