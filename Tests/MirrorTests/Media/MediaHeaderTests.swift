import Glibc
import MediaFormat
import Platform
import TestSupport
import Testing

@testable import Mirror

@Suite struct MediaHeaderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let pictures: [(Sample, MediaType)] = [
        (Sample(name: "JPEG", bytes: jpeg(segments: [])), .jpeg),
        (
            Sample(
                name: "JPEG behind 3 MB of ICC",
                bytes: jpeg(segments: Array(repeating: 65_000, count: 46))), .jpeg
        ),
        (Sample(name: "progressive JPEG", bytes: jpeg(segments: [20], frame: 0xc2)), .jpeg),
        (Sample(name: "PNG", bytes: png(width: 640, height: 480)), .png),
        (
            Sample(
                name: "GIF",
                bytes: Array("GIF89a".utf8) + [0x80, 2, 0xe0, 1, 0, 0, 0]
                    + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]), .gif
        ),
        (
            Sample(
                name: "WebP lossy",
                bytes: webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 2, 0xe0, 1])), .webp
        ),
        (Sample(name: "WebP lossless", bytes: webp("VP8L", [0x2f, 0x7f, 0xc2, 0x77, 0])), .webp),
        (
            Sample(
                name: "WebP extended", bytes: webp("VP8X", [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])),
            .webp
        ),
        (Sample(name: "TIFF, little-endian", bytes: tiff(isBig: false)), .tiff),
        (Sample(name: "TIFF, big-endian", bytes: tiff(isBig: true)), .tiff),
    ]

    @Test(arguments: pictures)
    func typeAndSizeAreRecognized(sample: Sample, type: MediaType) async throws {
        let header = try await read(sample.bytes)

        #expect(header.type == type)
        #expect(header.size == PixelSize(width: 640, height: 480))
    }

    @Test func aVideoIsRecognized() async throws {
        let start = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
        // A box of 64 bits before it.
        let data = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]
        let header = try await read(start + data + [0, 0, 0, 8] + Array("moov".utf8))

        #expect(header.type == .mp4)
        #expect(header.size == nil)
    }

    /// The container of QuickTime is older than the box that names its type.
    @Test(arguments: ["wide", "moov", "mdat"])
    func aQuickTimeVideoIsRecognized(box: String) async throws {
        let movie = [0, 0, 0, 8] + Array("moov".utf8)

        #expect(try await read([0, 0, 0, 8] + Array(box.utf8) + movie).type == .mov)
    }

    /// ISO 14496-12, section 4.2: the length 0 means that the box extends to the end of the file.
    @Test func aVideoWhoseLastBoxHasNoLengthIsRecognized() async throws {
        let start = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
        let header = try await read(start + [0, 0, 0, 0] + Array("moov".utf8) + [1, 2, 3])

        #expect(header.type == .mp4)
    }

    @Test(arguments: ["isom", "avif", "heic"])
    func aFileOfFreeBoxesIsDamaged(brand: String) async {
        let free = [0, 0, 0, 8] + Array("free".utf8)
        let bytes =
            [0, 0, 0, 16] + Array("ftyp\(brand)".utf8) + [0, 0, 2, 0]
            + Array(repeatElement(free, count: 2_000).joined())
        await #expect(throws: MediaHeader.Refusal.self) { try await read(bytes) }
    }

    @Test(arguments: pictures)
    func aTruncatedHeaderIsRejected(sample: Sample, type: MediaType) async throws {
        for length in [0, 1, 4, 10, 16] where length < sample.bytes.count - 4 {
            await #expect(throws: MediaHeader.Refusal.self) {
                try await read(Array(sample.bytes.prefix(length)))
            }
        }
    }

    @Test func otherFilesAreRejected() async {
        await #expect(throws: MediaHeader.Refusal.empty) { try await read([]) }
        await #expect(throws: MediaHeader.Refusal.html) {
            try await read(Array("\u{feff}\n <!doctype html><html>…</html>".utf8))
        }
        await #expect(throws: MediaHeader.Refusal.unknown(firstBytes: Array("%PDF-1.7".utf8))) {
            try await read(Array("%PDF-1.7 and so on".utf8))
        }
    }

    private func read(_ bytes: [UInt8]) async throws -> MediaHeader {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/file", O_RDWR | O_CREAT)
            try file.write(bytes, path: path)
            return try MediaHeader(reading: file)
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
        func word(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + word(13) + Array("IHDR".utf8)
            + word(width) + word(height) + [8, 2, 0, 0, 0]
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
