import PictureSamples
import Testing
import ThumbnailRenderer

@testable import Thumbnails

/// The output of a compromised process.
@Suite struct ThumbnailFileTests {
    private static let stamp = ThumbnailStamp(of: String(repeating: "0", count: 64))

    private func thumbnail(_ stamp: ThumbnailStamp = Self.stamp) throws -> [UInt8] {
        let picture = Chart(96, 64).jpeg()
        return try Thumbnailer.thumbnail(of: picture.span, comment: "\(stamp)")
    }

    @Test func theOutputOfTheProgramIsAThumbnail() throws {
        #expect(ThumbnailFile.isThumbnail(try thumbnail(), Self.stamp))
    }

    @Test func aThumbnailOfAnotherPictureIsRejected() throws {
        let other = ThumbnailStamp(of: String(repeating: "1", count: 64))
        #expect(!ThumbnailFile.isThumbnail(try thumbnail(), other))
    }

    @Test func aTruncatedThumbnailIsRejected() throws {
        let bytes = try thumbnail()
        for count in bytes.indices {
            #expect(!ThumbnailFile.isThumbnail(Array(bytes[..<count]), Self.stamp))
        }
    }

    @Test(arguments: [[0], [0xff, 0xd9], Array("<script>".utf8)] as [[UInt8]])
    func bytesAfterTheEndAreRejected(_ more: [UInt8]) throws {
        #expect(!ThumbnailFile.isThumbnail(try thumbnail() + more, Self.stamp))
    }

    @Test func aThumbnailWithTooManyPixelsIsRejected() throws {
        var bytes = try thumbnail()
        let frame = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
        bytes[frame + 5] = 0xff

        #expect(!ThumbnailFile.isThumbnail(bytes, Self.stamp))
    }

    /// Metadata, other encodings, a second picture.
    @Test(arguments: [0xc2, 0xc9, 0xe0, 0xe1, 0xe2, 0xed, 0xfe, 0xd8, 0x00] as [UInt8])
    func aThumbnailWithMetadataIsRejected(_ marker: UInt8) throws {
        var bytes = try thumbnail()
        let table = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xdb })
        bytes.insert(contentsOf: [0xff, marker, 0, 4, 1, 1], at: table)

        #expect(!ThumbnailFile.isThumbnail(bytes, Self.stamp))
    }

    @Test func noBytesCrash() throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = try thumbnail()
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<4 {
                let place = Int.random(in: 115..<bytes.count, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = ThumbnailFile.isThumbnail(damaged, Self.stamp)
        }
    }
}
