package import FoundationEssentials
internal import Glibc
internal import MediaFormat
package import Mirror
package import Platform
internal import ThumbnailProtocol

extension Thumbnails {
    /// The long side of a conversion that does not fit into the memory of the thumbnailer in full size.
    private static let reducedSide = 3840
    /// The maximum number of pixels that fit.
    private static let maximumPixels = 24_000_000

    /// Whether ``jpeg(of:)`` may be called: the type of `picture` is decoded, and it did not fail or is retried now.
    package func canConvert(_ picture: PictureRecord, at now: Date = Date()) -> Bool {
        picture.type?.hasThumbnail == true
            && failedPictures.mayTry(Layout.latestPicture, of: picture.sha256, at: now)
    }

    /// When ``jpeg(of:)`` may be called again for `picture`; `nil` if it did not fail.
    package func conversionRetry(of picture: PictureRecord, after now: Date = Date()) -> Date? {
        failedPictures.retryTime(of: Layout.latestPicture, picture.sha256, at: now)
    }

    /// Converts `picture` to a JPEG for `latest.jpg`, in a process of its own, whose output may be larger.
    ///
    /// It has the same size, or a long side of at most 3,840 pixels if the picture has more than 24 megapixels or its
    /// size is not recorded.
    package func jpeg(of picture: PictureRecord) async throws(ThumbnailFailure) -> [UInt8] {
        let size = PixelSize(width: picture.width, height: picture.height)
        let isFull = 1...Self.maximumPixels ~= size.pixelCount
        let side = isFull ? size.longSide : Self.reducedSide
        do {
            var process = try makeProcess(options.limits.forFullSize)
            let file = try open(picture)
            let permit = try await decoding.permit()
            defer { permit.release() }
            let bytes = try await decode(picture, from: file, side: side, with: &process)
            failedPictures.forget(Layout.latestPicture)
            return bytes
        } catch {
            throw failure(by: error, of: Layout.latestPicture, picture.sha256)
        }
    }

    /// The SHA-256 that the JPEG `name` in `folder` stores of the picture that it was made of; `nil` if it was not made
    /// here, or cannot be read.
    ///
    /// It says whether the JPEG is up to date, not whose it is.
    package static func originalSHA256(storedIn name: String, in folder: Directory) -> String? {
        let bytes = try? folder.openFile(name, O_RDONLY).readStart(
            limit: ThumbnailFile.stampEnd, path: "")
        return bytes.flatMap(ThumbnailFile.originalSHA256)
    }
}
