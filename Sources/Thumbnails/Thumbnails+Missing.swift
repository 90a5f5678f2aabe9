package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// Finds and counts the thumbnails that are missing, or that may not show the picture of their day.
///
/// A thumbnail gets the modification time of its picture. So one with another time was cut short, or was made from another
/// picture, and ``make(_:report:)`` checks it.
extension Thumbnails {
    /// The thumbnails to make or to check, newest first, without those whose retry is not due at `now`.
    package func missingThumbnails(
        in snapshot: TreeSnapshot, at now: Date = Date()
    ) throws -> [JPEGJob] {
        let days = try daysWithoutThumbnail(in: snapshot) + daysWithDoubtfulThumbnail(in: snapshot)
        return try days.sorted { $0.day > $1.day }.compactMap { files in
            let job = JPEGJob(thumbnailOf: files.day)
            switch try originalPicture(of: files) {
            case .notThere: return nil
            case .unreadable: return job
            case .recorded(let sha256):
                return failedPictures.mayTry(job.path, from: sha256, at: now) ? job : nil
            }
        }
    }

    /// The days with a picture and no thumbnail; the picture of a day that is not among `daysWithFiles` is a person's.
    private func daysWithoutThumbnail(
        in snapshot: TreeSnapshot, daysWithFiles knownDays: Set<Day>? = nil
    ) throws -> [TreeSnapshot.DayFiles] {
        let days = snapshot.days.filter { $0.thumbnail == nil && $0.canHaveThumbnail }
        // Nearly all days have a thumbnail.
        guard !days.isEmpty else { return [] }
        let daysWithFiles = try knownDays ?? store.daysWithFiles(snapshot)
        return days.filter { daysWithFiles.contains($0.day) }
    }

    /// The days whose thumbnail does not have the time of a picture; on a disk that sets no times, is older than the picture.
    private func daysWithDoubtfulThumbnail(
        in snapshot: TreeSnapshot
    ) throws(SystemError) -> [TreeSnapshot.DayFiles] {
        let daysWithPicture = snapshot.days.lazy.filter { $0.record != nil && $0.hasPicture }
        let daysWithOtherTime = Array(daysWithPicture.filter(\.thumbnailHasOtherTime))
        // `keepsTimes` tries the disk, which is mostly not necessary.
        guard !daysWithOtherTime.isEmpty, try !store.keepsTimes() else { return daysWithOtherTime }
        return daysWithPicture.filter(\.thumbnailIsOlderThanPictures)
    }

    /// The picture from which the thumbnail of a day is made.
    private enum OriginalPicture {
        case recorded(sha256: String)
        /// The picture that the record names is not there; any other picture of the day is a person's.
        case notThere
        /// The record cannot be read. The error is reported when the thumbnail is to be made.
        case unreadable
    }

    private func originalPicture(
        of files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> OriginalPicture {
        do {
            guard let picture = try store.record(of: files.day)?.picture, picture.removed == nil,
                try files.stamp(ofFileAt: picture.path, in: store.tree.root) != nil
            else { return .notThere }
            return .recorded(sha256: picture.sha256)
        } catch  where !error.concernsEveryFile {
            return .unreadable
        }
    }

    // MARK: Numbers

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
            if !readsAllRecords, rejected == nil, hasOnlyRecordedPicture(files, in: snapshot) {
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

/// The numbers of days with a thumbnail, and of days with a picture, but no thumbnail.
package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// The thumbnail is not made yet, or failed and is retried.
    package fileprivate(set) var missing = 0
    /// The picture cannot be decoded.
    package fileprivate(set) var rejected = 0
}

/// How the modification time of a thumbnail, in seconds, compares with that of the pictures of its day.
extension TreeSnapshot.DayFiles {
    private var pictureSeconds: [Int64] { pictures.map(\.stamp.modified.components.seconds) }

    /// Whether there is a thumbnail, and no picture has its time.
    fileprivate var thumbnailHasOtherTime: Bool {
        guard let thumbnail else { return false }
        return !pictureSeconds.contains(thumbnail.modified.components.seconds)
    }

    fileprivate var thumbnailIsOlderThanPictures: Bool {
        guard let thumbnail else { return false }
        return pictureSeconds.allSatisfy { $0 > thumbnail.modified.components.seconds }
    }
}
