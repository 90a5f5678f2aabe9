internal import Glibc
package import Mirror
package import Platform
internal import ThumbnailProtocol

extension Thumbnails {
    /// The long side of a conversion that does not fit into the memory of the thumbnailer in full size.
    private static let reducedSide = 3840
    /// The maximum number of pixels that fit.
    private static let maximumPixels = 24_000_000

    /// Whether pictures of the type of `picture` can be decoded.
    package static func isSupported(_ picture: PictureRecord) -> Bool {
        MediaType(rawValue: picture.type).map(supportedTypes.contains) ?? false
    }

    /// Converts `picture` to a JPEG for `latest.jpg`, of the same size, or of 3,840 pixels on the long side above 24 megapixels.
    ///
    /// It has a process of its own, with larger limits.
    package func jpeg(of picture: PictureRecord) async throws(ThumbnailFailure) -> [UInt8] {
        let (pixels, isTooLarge) = picture.width.multipliedReportingOverflow(by: picture.height)
        let isFull = !isTooLarge && 1...Self.maximumPixels ~= pixels
        let side = isFull ? max(picture.width, picture.height) : Self.reducedSide
        do {
            var process = try makeProcess(options.limits.forFullSize)
            return try await decoding.withPermit {
                try await process.make(of: open(picture), sha256: picture.sha256, side: side)
            }
        } catch {
            throw ThumbnailFailure(error)
        }
    }

    /// The SHA-256 of the picture that the JPEG `name` in `folder` was made of; `nil` if it was not made
    /// here.
    package static func originalSHA256(of name: String, in folder: Directory) -> String? {
        let bytes = try? folder.openFile(name, O_RDONLY).readStart(
            limit: ThumbnailFile.stampEnd, path: "")
        return bytes.flatMap(ThumbnailFile.originalSHA256)
    }

    /// The same for a thumbnail or ``Rendition``.
    func originalSHA256(of path: String) -> String? {
        Self.originalSHA256(of: path, in: store.tree.root)
    }
}
