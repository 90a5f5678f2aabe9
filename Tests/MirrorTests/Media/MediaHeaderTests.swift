import Glibc
import MediaFormat
import PictureSamples
import Platform
import TestSupport
import Testing

@testable import Mirror

/// Types and sizes by the first bytes of a file, and whether its end is there; bytes after it are allowed.
@Suite(.timeLimit(.minutes(10))) struct MediaHeaderTests {
    private static let chart = Chart(96, 64)

    /// An embedded thumbnail with its own end, two scans, stuffed bytes and a restart.
    private static let oddJPEG: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xd8, 1, 2, 0xff, 0xd9]
        + [0xff, 0xff, 0xc2, 0, 11, 8, 0, 64, 0, 96, 1, 1, 0x11, 0]
        + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0] + [UInt8](repeating: 5, count: 70_000)
        + [0xff, 0, 0xff, 0xd0, 9, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 4, 4, 0xff, 0xd9]

    /// The segment for Exif data ends before the name that follows it.
    private static let shortExifJPEG: [UInt8] = {
        let file = chart.jpeg()
        return file[..<2] + [0xff, 0xe1, 0, 2] + Array("Exif\0\0".utf8) + file[2...]
    }()

    private static let strayBytesJPEG: [UInt8] = {
        let file = chart.jpeg()
        return file[..<2] + [UInt8](repeating: 0, count: 1000) + file[2...]
    }()

    static let pictures: [(MediaSample, MediaType)] = [
        (MediaSample(name: "JPEG of a short Exif segment", bytes: shortExifJPEG), .jpeg),
        (MediaSample(name: "JPEG of stray bytes after its start", bytes: strayBytesJPEG), .jpeg),
        (
            MediaSample(
                name: "GIF of an empty first frame",
                bytes: Chart.withEmptyFrame(chart.gif(), .withoutPixels)), .gif
        ),
        (MediaSample(name: "JPEG", bytes: chart.jpeg()), .jpeg),
        (
            MediaSample(name: "JPEG behind 3 MB of ICC", bytes: chart.profiledJPEG(segments: 46)),
            .jpeg
        ),
        (MediaSample(name: "progressive JPEG", bytes: chart.jpeg(.progressive)), .jpeg),
        (MediaSample(name: "odd JPEG", bytes: oddJPEG), .jpeg),
        (MediaSample(name: "PNG", bytes: chart.png(.truecolor)), .png),
        (MediaSample(name: "GIF", bytes: chart.gif()), .gif),
        (MediaSample(name: "WebP lossy", bytes: chart.webp()), .webp),
        (MediaSample(name: "WebP lossless", bytes: chart.webp(isLossless: true)), .webp),
        (
            MediaSample(name: "WebP extended", bytes: ExifData.inserted(intoWebP: chart.webp())),
            .webp
        ),
        (MediaSample(name: "AVIF", bytes: still("avifmif1")), .avif),
        (MediaSample(name: "TIFF, little-endian", bytes: tiff(isBig: false)), .tiff),
        (MediaSample(name: "TIFF, big-endian", bytes: tiff(isBig: true)), .tiff),
    ]

    @Test(arguments: pictures)
    func typeAndSizeAreRecognized(sample: MediaSample, type: MediaType) async throws {
        let header = try await mediaHeader(of: sample.bytes)

        #expect(header.type == type)
        #expect(header.size == PixelSize(width: 96, height: 64))
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

    /// A head, and a segment of 40 bytes; see RFC 9559.
    private static let webm: [UInt8] =
        [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)
        + [0x18, 0x53, 0x80, 0x67, 0x40, 40] + [UInt8](repeating: 1, count: 40)

    static let whole = pictures.map(\.0) + [MediaSample(name: "WebM", bytes: webm)]

    @Test(arguments: whole) func bytesAfterTheEndAreAccepted(sample: MediaSample) async throws {
        for rest in [[], [0, 1, 2, 3, 0xff, 0xd8, 0xff], [UInt8](repeating: 0, count: 100_000)] {
            await #expect(throws: Never.self) {
                try await mediaHeader(of: sample.bytes + rest, isWhole: true)
            }
        }
    }

    @Test(arguments: whole) func aTruncatedFileIsRejected(sample: MediaSample) async throws {
        let count = sample.bytes.count
        // A GIF needs no trailer, a TIFF has no end.
        let last = sample.name.hasPrefix("GIF") ? 2 : 1
        let lengths =
            sample.name.hasPrefix("TIFF") ? [] : [count * 3 / 4, count - 20, count - last]
        for length in [0, 1, 4, 10, 16] + lengths {
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
        #expect(header.size == (type.isPicture ? PixelSize(width: 96, height: 64) : nil))
    }

    @Test func noHeaderOverflowsTheNumberOfPixels() async throws {
        var png = Self.chart.png(.truecolor)
        png.replaceSubrange(16..<24, with: [UInt8](repeating: 0xff, count: 8))
        let tiff: [UInt8] =
            [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 2] + [1, 0, 0, 4, 0, 0, 0, 1]
            + [0xff, 0xff, 0xff, 0xff] + [1, 1, 0, 4, 0, 0, 0, 1] + [0xff, 0xff, 0xff, 0xff]
        for (bytes, type) in [(png, MediaType.png), (tiff, .tiff)] {
            let refusal = try await mediaRefusal(of: bytes)
            #expect(refusal == "a damaged \(type.rawValue): no size in its header")
        }
    }

    @Test(
        arguments: [
            ([], "an empty file instead of a picture"),
            (
                Array("\u{feff}\n <!doctype html><html>…</html>".utf8),
                "an HTML page instead of a picture"
            ),
            (Array("<svg xmlns=\"…".utf8), "an SVG drawing instead of a picture"),
            (
                Array("<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC".utf8),
                "an SVG drawing instead of a picture"
            ),
            (
                Array("<!-- \(String(repeating: "x", count: 900)) -->\n<svg>".utf8),
                "an SVG drawing instead of a picture"
            ),
            (
                Array("<!-- \(String(repeating: "x", count: 2000)) --><svg>".utf8),
                "a file of markup instead of a picture"
            ),
            (Array("<html><body><svg></svg>".utf8), "an HTML page instead of a picture"),
            (
                Array("<?xml version=\"1.0\"?>\n<!-- By Inkscape --><Error>".utf8),
                "an XML file instead of a picture"
            ),
            (
                [0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88] + Array("matroska".utf8),
                "an unrecognized file type (first bytes: 1a 45 df a3 8b 42 82 88)"
            ),
            (
                Array("%PDF-1.7 and so on".utf8),
                "an unrecognized file type (first bytes: 25 50 44 46 2d 31 2e 37)"
            ),
        ] as [(bytes: [UInt8], refusal: String)])
    func otherFilesAreRejected(bytes: [UInt8], refusal: String) async throws {
        #expect(try await mediaRefusal(of: bytes) == refusal)
    }

    private static func still(_ brands: String) -> [UInt8] {
        let size = box("ispe", [0, 0, 0, 0] + bigEndian(96) + bigEndian(64))
        let tile = box("ispe", [0, 0, 0, 0] + bigEndian(32) + bigEndian(32))
        return box("ftyp", Array(brands.utf8.prefix(4)) + [0, 0, 0, 0] + Array(brands.utf8))
            + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", tile + size)))
            + box("moov", []) + box("mdat", [UInt8](repeating: 1, count: 40))
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
            + entry(256, 3, number(96, 2) + [0, 0])
            + entry(257, 4, number(64, 4))
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
                    #expect(throws: Never.self, "\(name)") {
                        try header.checkEnd(of: MediaBytes(descriptor: file.rawValue))
                    }
                    checked += 1
                }
            }
        }
        try walk(try #require(realPictures))
        #expect(checked > 100)
    }
}
