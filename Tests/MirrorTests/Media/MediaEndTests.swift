import Glibc
import MediaFormat
import Platform
import TestSupport
import Testing

@testable import Mirror

/// A truncated file is distinguished from a whole one; bytes after the end are allowed.
@Suite(.timeLimit(.minutes(10))) struct MediaEndTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }

    private static func png(width: Int, height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
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

    /// A head, and a segment of 40 bytes; see RFC 9559.
    private static let webm: [UInt8] =
        [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)
        + [0x18, 0x53, 0x80, 0x67, 0x40, 40] + [UInt8](repeating: 1, count: 40)

    private static func still(_ brands: String) -> [UInt8] {
        let size = box("ispe", [0, 0, 0, 0] + bigEndian(640) + bigEndian(480))
        let tile = box("ispe", [0, 0, 0, 0] + bigEndian(64) + bigEndian(64))
        return box("ftyp", Array(brands.utf8.prefix(4)) + [0, 0, 0, 0] + Array(brands.utf8))
            + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", tile + size)))
            + box("moov", []) + box("mdat", [UInt8](repeating: 1, count: 40))
    }

    static let whole: [MediaSample] = [
        MediaSample(name: "JPEG", bytes: jpeg),
        MediaSample(name: "PNG", bytes: png(width: 640, height: 480)),
        MediaSample(name: "GIF", bytes: gif), MediaSample(name: "WebP", bytes: webp),
        MediaSample(name: "AVIF", bytes: still("avifmif1")), MediaSample(name: "WebM", bytes: webm),
    ]

    @Test(arguments: whole) func bytesAfterTheEndAreAccepted(sample: MediaSample) async throws {
        for rest in [[], [0, 1, 2, 3, 0xff, 0xd8, 0xff], [UInt8](repeating: 0, count: 100_000)] {
            await #expect(throws: Never.self) {
                try await mediaHeader(of: sample.bytes + rest, isWhole: true)
            }
        }
    }

    @Test(arguments: whole) func aTruncatedFileIsRejected(sample: MediaSample) async throws {
        let start = sample.name == "JPEG" ? 40 : sample.bytes.count * 3 / 4
        // A GIF needs no trailer.
        let last = sample.name == "GIF" ? 2 : 1
        for length in [start, sample.bytes.count - 20, sample.bytes.count - last] {
            await #expect(throws: MediaHeader.Refusal.self, "\(length)") {
                try await mediaHeader(of: Array(sample.bytes.prefix(length)), isWhole: true)
            }
        }
    }

    @Test(arguments: [
        ("avifmif1", MediaType.avif), ("avis", .avif), ("heic", .heic), ("heixmif1", .heic),
        ("mif1heic", .heic), ("mif1avif", .avif), ("msf1hevc", .heic), ("isomiso2mp41", .mp4),
        ("qt  ", .mov),
    ])
    func brandsDistinguishPicturesFromVideos(brands: String, type: MediaType) async throws {
        let header = try await mediaHeader(of: Self.still(brands))

        #expect(header.type == type)
        #expect(header.size == (type.isPicture ? PixelSize(width: 640, height: 480) : nil))
    }

    @Test func noHeaderOverflowsTheNumberOfPixels() async throws {
        await #expect(throws: MediaHeader.Refusal.damaged(.png)) {
            try await mediaHeader(of: Self.png(width: 0xffff_ffff, height: 0xffff_ffff))
        }
        let tiff: [UInt8] =
            [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 2] + [1, 0, 0, 4, 0, 0, 0, 1]
            + [0xff, 0xff, 0xff, 0xff] + [1, 1, 0, 4, 0, 0, 0, 1] + [0xff, 0xff, 0xff, 0xff]
        await #expect(throws: MediaHeader.Refusal.damaged(.tiff)) {
            try await mediaHeader(of: tiff)
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
