package import FoundationEssentials
internal import MediaFormat
package import Mirror
internal import Platform
internal import ThumbnailProtocol

/// Converts the newest picture, if it is no JPEG, for `latest.jpg`.
extension Thumbnails {
    /// The most pixels of a picture that is converted in full size: more do not fit into the memory of the thumbnailer.
    private static let maximumPixels = 24_000_000
    /// The long side, in pixels, of the conversion of a larger picture.
    private static let reducedSide = 3840

    /// Whether ``convert(_:)`` may be called: `picture` has a type that can be decoded, and has not failed a short time ago.
    package func canConvert(_ picture: PictureRecord, at now: Date = Date()) -> Bool {
        picture.type?.hasThumbnail == true
            && failedPictures.mayTry(Layout.latestPicture, from: picture.sha256, at: now)
    }

    /// When ``convert(_:)`` may be called again for `picture`; `nil` if it has not failed.
    package func conversionRetry(of picture: PictureRecord, after now: Date = Date()) -> Date? {
        failedPictures.retryTime(of: Layout.latestPicture, from: picture.sha256, at: now)
    }

    /// Converts `picture` to a JPEG, in a process of its own, whose output may be larger than that for thumbnails.
    ///
    /// The JPEG has the size of the picture. If that is not recorded or has more than 24 megapixels, its long side has at
    /// most 3840 pixels.
    package func convert(_ picture: PictureRecord) async throws(ThumbnailFailure) -> [UInt8] {
        let size = PixelSize(width: picture.width, height: picture.height)
        let isFull = 1...Self.maximumPixels ~= size.pixelCount
        let side = isFull ? size.longSide : Self.reducedSide
        do {
            var process = try makeProcess(options.limits.forFullSize)
            let file = try openFile(of: picture)
            let jpeg = try await makeJPEG(of: picture, from: file, side: side, with: &process)
            failedPictures.forget(Layout.latestPicture)
            return jpeg
        } catch {
            throw recordFailure(error, of: Layout.latestPicture, from: picture.sha256)
        }
    }
}
