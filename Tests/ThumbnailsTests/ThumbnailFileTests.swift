import Mirror
import PictureSamples
import Testing
import ThumbnailRenderer

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
