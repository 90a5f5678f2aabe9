import PictureSamples
import Testing
import ThumbnailRenderer

@testable import Thumbnails

/// The output of a compromised process.
@Suite struct ThumbnailFileTests {
    private static let sha256 = String(repeating: "0", count: 64)

    private func thumbnail() throws -> [UInt8] {
        let picture = Chart(96, 64).jpeg()
        return try Thumbnailer.thumbnail(
            of: picture.span, comment: ThumbnailFile.stamp(of: Self.sha256))
    }

    @Test func theOutputOfTheProgramIsAThumbnail() throws {
        #expect(ThumbnailFile.isThumbnail(try thumbnail(), of: Self.sha256))
    }

    @Test func aThumbnailWithAColorProfileIsOne() throws {
        let profile = [UInt8](repeating: 0, count: 16) + Array("RGB ".utf8)
        let segment =
            Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile + [UInt8](repeating: 0, count: 200)
        let picture = inserting(0xe2, segment, into: Chart(96, 64).jpeg())
        let bytes = try Thumbnailer.thumbnail(
            of: picture.span, comment: ThumbnailFile.stamp(of: Self.sha256))

        #expect(bytes.firstRange(of: segment) != nil)
        #expect(ThumbnailFile.isThumbnail(bytes, of: Self.sha256))
    }

    /// A profile of 200,000 bytes, which has four segments in a thumbnail.
    @Test func aThumbnailWithALongColorProfileIsOne() throws {
        let head = [UInt8](repeating: 0, count: 16) + Array("RGB ".utf8)
        let profile = head + [UInt8](repeating: 7, count: 200_000 - head.count)
        let bytes = try Thumbnailer.thumbnail(
            of: Chart(96, 64).png(.truecolor, profile: profile).span,
            comment: ThumbnailFile.stamp(of: Self.sha256))

        #expect(bytes.count > profile.count)
        #expect(ThumbnailFile.isThumbnail(bytes, of: Self.sha256))
    }

    @Test func aThumbnailOfAnotherPictureIsRejected() throws {
        let other = String(repeating: "1", count: 64)
        #expect(!ThumbnailFile.isThumbnail(try thumbnail(), of: other))
    }

    @Test func aTruncatedThumbnailIsRejected() throws {
        let bytes = try thumbnail()
        for count in bytes.indices {
            #expect(!ThumbnailFile.isThumbnail(Array(bytes[..<count]), of: Self.sha256))
        }
    }

    @Test(arguments: [[0], Array("<script>".utf8)] as [[UInt8]])
    func bytesAfterTheEndAreRejected(_ more: [UInt8]) throws {
        #expect(!ThumbnailFile.isThumbnail(try thumbnail() + more, of: Self.sha256))
    }
}
