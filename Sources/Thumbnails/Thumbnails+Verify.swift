package import APOD
package import Mirror
internal import Platform

extension Thumbnails {
    /// Compares a thumbnail with its picture.
    ///
    /// - Parameters:
    ///   - day: The day of the picture.
    ///   - picture: The recorded picture.
    ///   - contents: The contents of the thumbnail; `nil` if it does not exist.
    /// - Returns: What is wrong; `nil` if it is complete or cannot be made.
    package func problem(
        of day: Day, _ picture: PictureRecord, contents: [UInt8]?
    ) -> Finding.Problem? {
        let expected = "the thumbnail of the picture"
        guard let contents else {
            return isExpected(day, picture) ? .absent(expected: expected) : nil
        }
        if ThumbnailFile.isThumbnail(contents, ThumbnailStamp(of: picture.sha256)) { return nil }
        if let other = ThumbnailStamp(of: contents), other.sha256 != picture.sha256,
            ThumbnailFile.isThumbnail(contents, other)
        {
            // Of an earlier picture: the new one is not made yet.
            return picture.removed == nil ? .absent(expected: expected) : nil
        }
        return .wrongContents(
            expected: expected, found: contents.isEmpty ? "an empty file" : "a damaged JPEG")
    }

    /// Whether the thumbnail is made where it does not exist.
    private func isExpected(_ day: Day, _ picture: PictureRecord) -> Bool {
        guard isAvailable, picture.removed == nil,
            let type = MediaType(rawValue: picture.type), Self.supportedTypes.contains(type),
            (try? store.tree.root.status(ThumbnailStore.markerPath))??.kind == .file
        else { return false }
        return (try? rejection(of: day)) == .some(nil)
    }
}
