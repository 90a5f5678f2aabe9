import Glibc
import MediaFormat
import Platform
import TestSupport
import Testing

@testable import Mirror

/// A truncated file is distinguished from a whole one; bytes after the end are allowed.
@Suite(.timeLimit(.minutes(10))) struct MediaEndTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    private static func word(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        word(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        word(content.count + 8) + Array(name.utf8) + content
    }

    private static func png(width: Int, height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", word(width) + word(height) + [8, 2, 0, 0, 0])
            + chunk("IDAT", [UInt8](repeating: 7, count: 90)) + chunk("IEND", [])
    }

    /// An embedded thumbnail with its own end, two scans, stuffed bytes and a restart.
    private static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xd8, 1, 2, 0xff, 0xd9]
        + [0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 1, 0x11, 0]
        + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0] + [UInt8](repeating: 5, count: 70_000)
        + [0xff, 0, 0xff, 0xd0, 9, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 4, 4, 0xff, 0xd9]

    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [0x80, 2, 0xe0, 1, 0x80, 0, 0, 1, 2, 3, 4, 5, 6]
        + [0x21, 0xf9, 4, 0, 0, 0, 0, 0] + [
            0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 3, 9, 9, 9, 0, 0x3b,
        ]

    private static let webp: [UInt8] =
        Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [18, 0, 0, 0]
        + [0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 2, 0xe0, 1, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func still(_ brands: String) -> [UInt8] {
        let size = box("ispe", [0, 0, 0, 0] + word(640) + word(480))
        let tile = box("ispe", [0, 0, 0, 0] + word(64) + word(64))
        return box("ftyp", Array(brands.utf8.prefix(4)) + [0, 0, 0, 0] + Array(brands.utf8))
            + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", tile + size)))
            + box("moov", []) + box("mdat", [UInt8](repeating: 1, count: 40))
    }

    static let whole: [Sample] = [
        Sample(name: "JPEG", bytes: jpeg), Sample(name: "PNG", bytes: png(width: 640, height: 480)),
        Sample(name: "GIF", bytes: gif), Sample(name: "WebP", bytes: webp),
        Sample(name: "AVIF", bytes: still("avifmif1")),
    ]

    @Test(arguments: whole) func aWholeFileIsAccepted(sample: Sample) async throws {
        try await check(sample.bytes)
    }

    @Test(arguments: whole) func bytesAfterTheEndAreAccepted(sample: Sample) async throws {
        try await check(sample.bytes + [0, 1, 2, 3, 0xff, 0xd8, 0xff])
        try await check(sample.bytes + [UInt8](repeating: 0, count: 100_000))
    }

    @Test(arguments: whole) func aTruncatedFileIsRejected(sample: Sample) async throws {
        let start = sample.name == "JPEG" ? 40 : sample.bytes.count * 3 / 4
        // A GIF needs no trailer.
        let last = sample.name == "GIF" ? 2 : 1
        for length in [start, sample.bytes.count - 20, sample.bytes.count - last] {
            await #expect(throws: MediaHeader.Refusal.self, "\(length)") {
                try await check(Array(sample.bytes.prefix(length)))
            }
        }
    }

    @Test(arguments: [
        ("avifmif1", MediaType.avif), ("avis", .avif), ("heic", .heic), ("heixmif1", .heic),
        ("mif1heic", .heic), ("mif1avif", .avif), ("msf1hevc", .heic), ("isomiso2mp41", .mp4),
        ("qt  ", .mov),
    ])
    func brandsDistinguishPicturesFromVideos(brands: String, type: MediaType) async throws {
        let header = try await header(Self.still(brands))

        #expect(header.type == type)
        #expect(header.size == (type.isPicture ? PixelSize(width: 640, height: 480) : nil))
    }

    @Test func noHeaderOverflowsTheNumberOfPixels() async throws {
        await #expect(throws: MediaHeader.Refusal.damaged(.png)) {
            _ = try await header(Self.png(width: 0xffff_ffff, height: 0xffff_ffff))
        }
        let tiff: [UInt8] =
            [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 2] + [1, 0, 0, 4, 0, 0, 0, 1]
            + [0xff, 0xff, 0xff, 0xff] + [1, 1, 0, 4, 0, 0, 0, 1] + [0xff, 0xff, 0xff, 0xff]
        await #expect(throws: MediaHeader.Refusal.damaged(.tiff)) { _ = try await header(tiff) }
    }

    private func header(_ bytes: [UInt8]) async throws -> MediaHeader {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/file", O_RDWR | O_CREAT)
            try file.write(bytes, path: path)
            return try MediaHeader(reading: file)
        }
    }

    private func check(_ bytes: [UInt8]) async throws {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/file", O_RDWR | O_CREAT)
            try file.write(bytes, path: path)
            try MediaHeader(reading: file).checkEnd(of: file)
        }
    }
}

private let realPictures = RealData.pictures.flatMap { try? Directory(opening: $0) }

/// Real pictures, if a developer has them.
@Suite(.timeLimit(.minutes(10)), .enabled(if: realPictures != nil))
struct MediaEndRealTests {
    @Test func noRealPictureCountsAsTruncated() throws {
        var checked = 0
        func walk(_ folder: Directory) throws {
            for name in try folder.textNames() {
                if let inner = try? folder.folder(name) {
                    try walk(inner)
                } else {
                    let file = try folder.open(name, O_RDONLY)
                    guard let header = try? MediaHeader(reading: file) else { continue }
                    #expect(throws: Never.self, "\(name)") { try header.checkEnd(of: file) }
                    checked += 1
                }
            }
        }
        try walk(try #require(realPictures))
        #expect(checked > 100)
    }
}
