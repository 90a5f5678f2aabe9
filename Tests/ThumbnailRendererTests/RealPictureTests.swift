import Glibc
import Platform
import TestSupport
import Testing

@testable import ThumbnailRenderer

/// The thumbnails of real pictures resemble those of vipsthumbnail.
@Suite(.enabled(if: RealPictures.folder != nil && Vips.isThere), .timeLimit(.minutes(10)))
struct RealPictureTests {
    @Test func thumbnailsResembleThoseOfVipsthumbnail() async throws {
        let folder = try Directory(opening: #require(RealPictures.folder))
        try await withTemporaryFolder { root in
            let paths = try RealPictures.paths(in: folder)
            #expect(paths.count > 100)
            var likenesses: [Double] = []
            let all = try Vips.thumbnails(of: paths.map { "\(folder.path)/\($0)" }, in: root)
            for (path, another) in zip(paths, all) {
                let bytes = try #require(try folder.read(path))
                let ours = try decoded(thumbnail(of: bytes))
                let theirs = try decoded(another)

                #expect(ours.size == theirs.size, "\(path)")
                let likeness = ours.likeness(to: theirs)
                likenesses.append(likeness)
                // Grain over the whole picture differs by that much between two encodings of it.
                #expect(likeness >= 33, "\(path)")
            }
            let median = likenesses.sorted()[likenesses.count / 2]
            #expect(median >= 40)
        }
    }
}

extension PixelBuffer {
    /// The ratio of the peak signal to the noise between two pictures of a size, in decibels: 30 is close,
    /// 40 cannot be distinguished.
    ///
    /// It is computed from a sample of the bytes.
    func likeness(to other: PixelBuffer) -> Double {
        guard size == other.size else { return 0 }
        let places = stride(from: 0, to: bytes.count, by: 31)
        let squares = places.reduce(into: 0) { sum, place in
            let difference = Int(bytes[place]) - Int(other.bytes[place])
            sum += difference * difference
        }
        guard squares > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(bytes.count) / 31 / Double(squares))
    }
}
