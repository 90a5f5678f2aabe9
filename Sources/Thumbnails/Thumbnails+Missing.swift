package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Which thumbnails and renditions are missing or doubtful. Failed ones are left out until ``FailedPictures`` permits a retry.
extension Thumbnails {
    /// The thumbnails that are to be made or checked at `now`, newest first.
    package func missingThumbnails(
        in snapshot: TreeSnapshot, at now: Date = Date()
    ) throws -> [JPEGJob] {
        let days = try daysWithoutThumbnail(in: snapshot) + daysWithDoubtfulThumbnail(in: snapshot)
        return try days.sorted { $0.day > $1.day }.compactMap { files in
            let job = JPEGJob(thumbnailOf: files.day)
            switch try originalPicture(of: files) {
            case .missing: return nil
            case .unreadable: return job
            case .recorded(let sha256):
                return failedPictures.mayTry(job.path, from: sha256, at: now) ? job : nil
            }
        }
    }

    /// If more days than this lack a thumbnail, their records are not all read: on a slow disk, that would take minutes.
    private static let maximumRead = 100

    /// Counts the days in `snapshot` with and without a thumbnail.
    ///
    /// A day whose record is damaged or cannot be read counts as neither, because it may have no picture.
    /// `daysWithFiles` is the result of ``Store/daysWithFiles(_:)``, if the caller has it already.
    package func count(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> ThumbnailCount {
        let rejections = failedPictures.rejections
        var missing = 0
        var rejected = 0
        let days = try daysWithoutThumbnail(in: snapshot, daysWithFiles: daysWithFiles)
        for files in days {
            let rejection =
                rejections.isEmpty ? nil : rejections[Layout.thumbnail(of: files.day)]
            // Where records and files agreed, the only picture is the recorded one.
            if days.count > Self.maximumRead, rejection == nil, files.media.count == 1,
                store.recordsAgree(inMonthOf: files.day, of: snapshot)
            {
                missing += 1
                continue
            }
            switch try originalPicture(of: files) {
            case .missing, .unreadable: break
            case .recorded(let sha256) where sha256 == rejection: rejected += 1
            case .recorded: missing += 1
            }
        }
        return ThumbnailCount(
            made: snapshot.days.count { $0.thumbnail != nil && $0.canHaveThumbnail },
            missing: missing, rejected: rejected)
    }

    /// The days with a picture and no thumbnail; the picture of a day that is not among `daysWithFiles` is a person's.
    private func daysWithoutThumbnail(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> [TreeSnapshot.DayFiles] {
        let days = snapshot.days.filter { $0.thumbnail == nil && $0.canHaveThumbnail }
        // Nearly all days have a thumbnail.
        guard !days.isEmpty else { return [] }
        let daysWithFiles = try daysWithFiles ?? store.daysWithFiles(snapshot)
        return days.filter { daysWithFiles.contains($0.day) }
    }

    /// The picture from which the thumbnail of a day is made.
    private enum OriginalPicture {
        case recorded(sha256: String)
        /// The picture that the record names is not there; any other picture of the day is a person's.
        case missing
        /// The record cannot be read. The error is reported when the thumbnail is to be made.
        case unreadable
    }

    private func originalPicture(
        of files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> OriginalPicture {
        do {
            guard let picture = try store.record(of: files.day)?.picture, picture.removed == nil,
                try files.stamp(ofFileAt: picture.path, in: store.tree.root) != nil
            else { return .missing }
            return .recorded(sha256: picture.sha256)
        } catch  where !error.concernsEveryFile {
            return .unreadable
        }
    }

    /// The days whose thumbnail may be cut short, or of another picture: its modification time is not that of the picture.
    ///
    /// On a disk that sets no times, a thumbnail is doubtful if it is older than the picture.
    private func daysWithDoubtfulThumbnail(
        in snapshot: TreeSnapshot
    ) throws(SystemError) -> [TreeSnapshot.DayFiles] {
        let daysWithPicture = snapshot.days.lazy.filter { $0.record != nil && $0.hasPicture }
        let doubtful = Array(
            daysWithPicture.filter { files in
                files.thumbnailTime.map { !files.pictureTimes.contains($0) } ?? false
            })
        // `keepsTimes` tries the disk, which is mostly not necessary.
        guard !doubtful.isEmpty, try !store.keepsTimes() else { return doubtful }
        return daysWithPicture.filter { files in
            files.thumbnailTime.map { time in files.pictureTimes.allSatisfy { $0 > time } } ?? false
        }
    }

    /// The renditions that the gallery needs, newest first: those of large pictures among the newest days with a picture.
    package func neededRenditions(in snapshot: TreeSnapshot) throws -> [JPEGJob] {
        let days = snapshot.days(where: \.canHaveThumbnail)
        // A picture of a day in the future is a user's.
        let dates = try store.plausibleDates(store.state(), recorded: days, at: Date())
        let newest = days.filter(dates.contains).sorted(by: >).prefix(Rendition.maximumCount)
        return try newest.filter { day in
            do throws(SystemError) {
                guard let picture = try store.record(of: day)?.picture else { return false }
                return picture.removed == nil && Rendition.isWorthMaking(of: picture)
            } catch {
                guard !error.concernsEveryFile else { throw error }
                // The picture may be large: if it has a rendition, this stays.
                return true
            }
        }.map(JPEGJob.init(renditionOf:))
    }

    /// The `jobs` whose rendition is missing or of another picture, and whose thumbnail shows that the picture can be decoded.
    package func missingRenditions(among jobs: [JPEGJob]) throws -> [JPEGJob] {
        let root = store.tree.root
        return try jobs.filter { job in
            guard let picture = try store.knownRecord(of: job.day)?.picture else { return false }
            let thumbnail = Layout.thumbnail(of: job.day)
            return Self.originalSHA256(storedIn: thumbnail, in: root) == picture.sha256
                && Self.originalSHA256(storedIn: job.path, in: root) != picture.sha256
                && failedPictures.mayTry(job.path, from: picture.sha256, at: Date())
        }
    }

    /// Removes all renditions except those of `jobs`; returns whether it removed any.
    package func removeRenditions(except jobs: [JPEGJob]) throws(SystemError) -> Bool {
        let names = try store.tree.root.folder(Rendition.folder)?.textNames() ?? []
        let needed = Set(jobs.map(\.path))
        let others = names.map { "\(Rendition.folder)/\($0)" }.filter { !needed.contains($0) }
        return try !ViewFiles(of: .renditions, in: store).remove(others).changed.isEmpty
    }
}

extension TreeSnapshot.DayFiles {
    /// When the thumbnail was modified, in seconds since 1970.
    fileprivate var thumbnailTime: Int64? { thumbnail?.modified.components.seconds }

    /// When the pictures were modified, in seconds since 1970.
    fileprivate var pictureTimes: [Int64] { pictures.map(\.stamp.modified.components.seconds) }
}

/// The numbers of days with a thumbnail, and of days with a picture, but no thumbnail.
package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// The thumbnail is not made yet, or failed and is retried.
    package let missing: Int
    /// The picture cannot be decoded.
    package let rejected: Int
}
