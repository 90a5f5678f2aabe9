internal import Platform
internal import ThumbnailProtocol

extension Thumbnails {
    /// A GIF of one pixel.
    private static let pixel =
        Array("GIF89a".utf8) + [
            1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff,
            0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b,
        ]

    /// Starts the thumbnailer at the path `program`, and lets it make the thumbnail of a picture of one pixel.
    ///
    /// - Throws: ``ThumbnailFailure`` if it cannot.
    package static func tryOut(_ program: String) async throws(ThumbnailFailure) {
        var process = ThumbnailerProcess(
            program: program, limits: .defaults, timeout: Options().timeout)
        var hash = SHA256()
        hash.update(pixel)
        _ = try await process.make(hash.hexDigest(), of: try openPixel())
    }

    private static func openPixel() throws(ThumbnailFailure) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor(inMemory: "pixel")
            try file.write(pixel, path: "pixel")
            return file
        } catch {
            throw .system(error)
        }
    }
}
