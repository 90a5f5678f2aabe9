package import APOD
package import Mirror
internal import Platform

/// The numbers of days with a thumbnail, and of days with a picture, but no thumbnail; `status` prints them.
package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// The thumbnail is not made yet, or failed and is retried.
    package let missing: Int
    /// The picture cannot be decoded.
    package let rejected: Int
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
        let rejectedHashes = failedPictures.rejected.hashes
        var missing = 0
        var rejected = 0
        for files in days {
            // The SHA-256 of a picture of that day that could not be decoded; a new one may have replaced it.
            let rejectedHash = rejectedHashes[Layout.thumbnail(of: files.day)]
            if !readsAllRecords, rejectedHash == nil, files.media.count == 1,
                store.recordsAgree(inMonthOf: files.day, of: snapshot)
            {
                // The record need not be read, because the only picture of the day is the recorded one.
                missing += 1
            } else if let sha256 = try readableSHA256(of: files) {
                if sha256 == rejectedHash { rejected += 1 } else { missing += 1 }
            }
        }
        return ThumbnailCount(
            made: snapshot.days.count { $0.thumbnail != nil && $0.canHaveThumbnail },
            missing: missing, rejected: rejected)
    }

    /// The SHA-256 of the recorded picture of a day; `nil` if it is not there, or if the record cannot be read.
    private func readableSHA256(
        of files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> String? {
        do {
            return try existingPicture(of: files)?.sha256
        } catch  where !error.concernsEveryFile {
            return nil
        }
    }
}
