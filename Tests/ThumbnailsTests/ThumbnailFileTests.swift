import PictureSamples
import Testing
import ThumbnailRenderer

@testable import Thumbnails

/// The output of a compromised process.
@Suite struct ThumbnailFileTests {
    private static let sha256 = String(repeating: "0", count: 64)

    private func thumbnail(of picture: [UInt8] = Chart(96, 64).jpeg()) throws -> [UInt8] {
        try Thumbnailer.thumbnail(of: picture.span, comment: ThumbnailFile.stamp(of: Self.sha256))
    }

    /// The place of the first `marker`.
    private func place(of marker: UInt8, in bytes: [UInt8]) throws -> Int {
        try #require(bytes.firstRange(of: [0xff, marker])?.lowerBound)
    }

    @Test func theOutputOfTheProgramIsAThumbnailOfItsPicture() throws {
        #expect(ThumbnailFile.isThumbnail(try thumbnail(), of: Self.sha256))
        let other = String(repeating: "1", count: 64)
        #expect(!ThumbnailFile.isThumbnail(try thumbnail(), of: other))
    }

    /// In one segment of a thumbnail, and in four.
    @Test(arguments: [220, 200_000]) func aThumbnailWithAColorProfileIsOne(length: Int) throws {
        let head = [UInt8](repeating: 0, count: 16) + Array("RGB ".utf8)
        let profile = head + [UInt8](repeating: 7, count: length - head.count)
        let bytes = try thumbnail(of: Chart(96, 64).png(.truecolor, profile: profile))

        #expect(bytes.firstRange(of: head + [7]) != nil)
        #expect(ThumbnailFile.isThumbnail(bytes, of: Self.sha256))
        guard length > 65_536 else { return }
        // The numbers of two segments are exchanged.
        var exchanged = bytes
        let name = Array("ICC_PROFILE\0".utf8)
        let second = try #require(bytes.firstRange(of: name + [2])).upperBound - 1
        let third = try #require(bytes.firstRange(of: name + [3])).upperBound - 1
        exchanged.swapAt(second, third)
        #expect(!ThumbnailFile.isThumbnail(exchanged, of: Self.sha256))
    }

    @Test func aTruncatedThumbnailIsRejected() throws {
        let bytes = try thumbnail()
        for count in bytes.indices {
            #expect(!ThumbnailFile.isThumbnail(Array(bytes[..<count]), of: Self.sha256))
        }
    }

    @Test(arguments: [[0], [0xff, 0xd9], Array("<script>".utf8)] as [[UInt8]])
    func bytesAfterTheEndAreRejected(_ more: [UInt8]) throws {
        #expect(!ThumbnailFile.isThumbnail(try thumbnail() + more, of: Self.sha256))
    }

    @Test func aThumbnailWithTooManyPixelsIsRejected() throws {
        var bytes = try thumbnail()
        bytes[try place(of: 0xc0, in: bytes) + 5] = 0xff

        #expect(!ThumbnailFile.isThumbnail(bytes, of: Self.sha256))
    }

    /// Metadata, other encodings, a second picture.
    @Test(arguments: [0xc2, 0xc9, 0xe0, 0xe1, 0xe2, 0xed, 0xfe, 0xd8, 0x00] as [UInt8])
    func aThumbnailWithMetadataIsRejected(_ marker: UInt8) throws {
        var bytes = try thumbnail()
        bytes.insert(contentsOf: [0xff, marker, 0, 4, 1, 1], at: try place(of: 0xdb, in: bytes))

        #expect(!ThumbnailFile.isThumbnail(bytes, of: Self.sha256))
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
            _ = ThumbnailFile.isThumbnail(damaged, of: Self.sha256)
        }
    }
}
