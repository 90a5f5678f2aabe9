package import APOD
package import Mirror
internal import Platform

/// The numbers of days with a thumbnail, and of days with a picture, but no thumbnail.
package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// The thumbnail is not made yet, or failed and is retried.
    package fileprivate(set) var missing = 0
    /// The picture cannot be decoded.
    package fileprivate(set) var rejected = 0
}

extension Thumbnails {
    /// If more days than this lack a thumbnail, not all of their records are read: on a slow disk, that would take minutes.
    private static let maximumRecordsRead = 100

    /// Counts the days in `snapshot` with and without a thumbnail.
    ///
    /// A day whose record is damaged or cannot be read counts as neither, because it may have no picture.
    /// `daysWithFiles` is the result of ``Store/daysWithFiles(_:)``, if the caller has it already.
    package func count(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> ThumbnailCount {
        let days = try daysWithoutThumbnail(in: snapshot, daysWithFiles: daysWithFiles)
        let readsAllRecords = days.count <= Self.maximumRecordsRead
        let rejections = failedPictures.rejections
        var count = ThumbnailCount(
            made: snapshot.days.count { $0.thumbnail != nil && $0.canHaveThumbnail })
        for files in days {
            // The SHA-256 of a picture of that day that could not be decoded; a new one may have replaced it.
            let rejected = rejections[Layout.thumbnail(of: files.day)]
            let mustReadRecord =
                readsAllRecords || rejected != nil
                || !hasOnlyRecordedPicture(files, in: snapshot)
            guard mustReadRecord else {
                count.missing += 1
                continue
            }
            switch try originalPicture(of: files) {
            case .notThere, .unreadable: break
            case .recorded(let sha256) where sha256 == rejected: count.rejected += 1
            case .recorded: count.missing += 1
            }
        }
        return count
    }

    /// Whether it is certain without reading the record that the picture of a day is the recorded one.
    private func hasOnlyRecordedPicture(
        _ files: TreeSnapshot.DayFiles, in snapshot: TreeSnapshot
    ) -> Bool {
        files.media.count == 1 && store.recordsAgree(inMonthOf: files.day, of: snapshot)
    }
}
