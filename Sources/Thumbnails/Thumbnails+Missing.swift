package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Which JPEGs are missing or doubtful. A failed one is left out until ``FailedPictures`` lets it be tried again.
extension Thumbnails {
    /// The thumbnails that are to be made at `now`, newest first.
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
                return failedPictures.mayTry(job.path, of: sha256, at: now) ? job : nil
            }
        }
    }

    /// Counts the days in `snapshot` with and without a thumbnail; `daysWithFiles` are those of
    /// ``Store/daysWithFiles(_:)`` if the caller has them.
    package func count(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> ThumbnailCount {
        let rejections = failedPictures.rejections
        var missing = 0
        var rejected = 0
        for files in try daysWithoutThumbnail(in: snapshot, daysWithFiles: daysWithFiles) {
            let rejection =
                rejections.isEmpty ? nil : rejections[Layout.thumbnail(of: files.day)]
            // The only picture of a day with files is the recorded one, and its record need not be read.
            if rejection == nil, files.media.count == 1 {
                missing += 1
                continue
            }
            switch try originalPicture(of: files) {
            case .missing: break
            case .recorded(let sha256) where sha256 == rejection: rejected += 1
            case .recorded, .unreadable: missing += 1
            }
        }
        return ThumbnailCount(
            made: snapshot.days.count { $0.thumbnail != nil && $0.canHaveThumbnail },
            missing: missing, rejected: rejected)
    }

    /// The days without a thumbnail that have a picture; without `daysWithFiles`, a picture is a person's, or not published
    /// yet.
    private func daysWithoutThumbnail(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> [TreeSnapshot.DayFiles] {
        let days = snapshot.days.filter { $0.thumbnail == nil && $0.canHaveThumbnail }
        // Nearly all days have a thumbnail.
        guard !days.isEmpty else { return [] }
        let daysWithFiles = try daysWithFiles ?? store.daysWithFiles(snapshot)
        return days.filter { daysWithFiles.contains($0.day) }
    }

    /// The picture of a day that its thumbnail is made from.
    private enum OriginalPicture {
        case recorded(sha256: String)
        /// The record names none that is there; any other picture is a person's.
        case missing
        /// The record, which may name a picture, cannot be read; making the thumbnail reports the error.
        case unreadable
    }

    private func originalPicture(
        of files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> OriginalPicture {
        do {
            guard let picture = try store.record(of: files.day)?.picture, picture.removed == nil,
                files.media.contains(where: { $0.path == picture.path })
            else { return .missing }
            return .recorded(sha256: picture.sha256)
        } catch  where error.cause != .shortage {
            return .unreadable
        }
    }

    /// The days whose thumbnail does not have the time of their picture: it was cut short, or is that of another picture.
    ///
    /// Where the disk sets no times, it is older than the picture then.
    private func daysWithDoubtfulThumbnail(
        in snapshot: TreeSnapshot
    ) throws(SystemError) -> [TreeSnapshot.DayFiles] {
        let illustrated = snapshot.days.lazy.filter { $0.record != nil && $0.hasPicture }
        let doubtful = Array(
            illustrated.filter { files in
                files.thumbnailTime.map { !files.pictureTimes.contains($0) } ?? false
            })
        // Most disks set times, and are not tried.
        guard !doubtful.isEmpty, try !store.keepsTimes() else { return doubtful }
        return illustrated.filter { files in
            files.thumbnailTime.map { time in files.pictureTimes.allSatisfy { $0 > time } } ?? false
        }
    }

    // MARK: Renditions

    /// The renditions that the gallery needs: of the newest days with large pictures, newest first.
    package func neededRenditions(in snapshot: TreeSnapshot) throws -> [JPEGJob] {
        let illustrated = snapshot.days(where: \.canHaveThumbnail)
        // A file of a day in the future is a user's.
        let dates = try store.plausibleDates(store.state(), recorded: illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.filter { day in
            do throws(SystemError) {
                guard let picture = try store.record(of: day)?.picture else { return false }
                return picture.removed == nil && Rendition.isUseful(of: picture)
            } catch {
                guard error.cause != .shortage else { throw error }
                // Nothing is known of the picture: its rendition stays.
                return true
            }
        }.map(JPEGJob.init(renditionOf:))
    }

    /// The jobs for renditions that are missing or of another picture, if a thumbnail shows that the picture can be decoded.
    package func missing(_ jobs: [JPEGJob]) throws -> [JPEGJob] {
        let root = store.tree.root
        return try jobs.filter { job in
            guard let picture = try store.knownRecord(of: job.day)?.picture else { return false }
            let thumbnail = Layout.thumbnail(of: job.day)
            return Self.originalSHA256(storedIn: thumbnail, in: root) == picture.sha256
                && Self.originalSHA256(storedIn: job.path, in: root) != picture.sha256
                && failedPictures.mayTry(job.path, of: picture.sha256, at: Date())
        }
    }

    /// Removes all renditions but those of `jobs`; returns whether there were any.
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

package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// Not made yet, or to be retried.
    package let missing: Int
    /// No thumbnail can be made.
    package let rejected: Int
}
