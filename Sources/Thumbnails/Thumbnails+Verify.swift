package import APOD
package import Mirror

extension Thumbnails {
    /// Compares the contents of a thumbnail with its recorded picture.
    ///
    /// - Returns: What is wrong; `nil` if it is complete, or of an earlier picture: it is made again.
    package static func problem(
        of day: Day, _ picture: PictureRecord, contents: [UInt8]
    ) -> Finding.Problem? {
        let stamp = ThumbnailStamp(of: contents) ?? ThumbnailStamp(of: picture.sha256)
        if ThumbnailFile.isThumbnail(contents, stamp) { return nil }
        return .wrongContents(
            expected: "the thumbnail of the picture",
            found: contents.isEmpty ? "an empty file" : "a damaged JPEG")
    }
}
