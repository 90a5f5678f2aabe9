package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Which JPEGs are missing or doubtful. A failed one is left out until ``FailedPictures`` lets it be tried again.
///
/// A day is illustrated if there is a picture of it, and has files if its record names one that is there.
extension Thumbnails {
    /// The thumbnails that are to be made at `now`, newest first.
    package func missingThumbnails(
        in snapshot: TreeSnapshot, at now: Date = Date()
    ) throws -> [JPEGJob] {
        try absentDays(in: snapshot).union(doubtfulDays(in: snapshot)).sorted(by: >)
            .map(JPEGJob.init(thumbnailOf:)).filter { mayMake($0, at: now) }
    }

    /// Counts the days in `snapshot` with and without a thumbnail; `daysWithFiles` are those of
    /// ``Store/daysWithFiles(_:)`` if the caller has them.
    package func count(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> ThumbnailCount {
        let missing = try absentDays(in: snapshot, daysWithFiles: daysWithFiles)
        let rejections = failedPictures.rejections
        let rejected = try (rejections.isEmpty ? [] : missing).count { day in
            guard let sha256 = rejections[Layout.thumbnail(of: day)] else { return false }
            return try store.record(of: day)?.picture?.sha256 == sha256
        }
        return ThumbnailCount(
            made: snapshot.days.count { $0.thumbnail != nil && $0.canHaveThumbnail },
            missing: missing.count - rejected, rejected: rejected)
    }

    /// The illustrated days without a thumbnail; the picture of a day without files is a user's, or not published
    /// yet.
    private func absentDays(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>? = nil
    ) throws -> Set<Day> {
        // Nearly all days have a thumbnail.
        let days = snapshot.days.lazy.filter { $0.thumbnail == nil && $0.canHaveThumbnail }
        guard !days.isEmpty else { return [] }
        let daysWithFiles = try daysWithFiles ?? store.daysWithFiles(snapshot)
        var absent: Set<Day> = []
        for files in days where daysWithFiles.contains(files.day) {
            if try isRecorded(files) { absent.insert(files.day) }
        }
        return absent
    }

    /// Whether the record of a day names a picture that is there; any other picture is a user's.
    private func isRecorded(_ files: TreeSnapshot.DayFiles) throws -> Bool {
        let record: DayRecord?
        do {
            record = try store.record(of: files.day)
        } catch {
            guard error.cause != .shortage else { throw error }
            // It may name one.
            return true
        }
        guard let path = record?.picture?.path, record?.removed == nil else { return false }
        return files.media.contains { $0.path == path }
    }

    /// The days whose thumbnail does not have the time of their picture: it was cut short, or is that of another picture.
    ///
    /// Where the disk sets no times, it is older than the picture then.
    private func doubtfulDays(in snapshot: TreeSnapshot) throws(SystemError) -> Set<Day> {
        /// The days with a thumbnail, its time, and those of their pictures, in seconds since 1970.
        let illustrated = snapshot.days.compactMap {
            files -> (day: Day, own: Int64, originals: [Int64])? in
            guard let thumbnail = files.thumbnail, files.record != nil else { return nil }
            let originals = files.pictures.map(\.stamp.modified.components.seconds)
            return originals.isEmpty
                ? nil : (files.day, thumbnail.modified.components.seconds, originals)
        }
        let doubtful = illustrated.filter { !$0.originals.contains($0.own) }
        // Most disks set times, and are not tried.
        guard !doubtful.isEmpty, try !store.keepsTimes() else { return Set(doubtful.map(\.day)) }
        let older = illustrated.filter { day in day.originals.allSatisfy { $0 > day.own } }
        return Set(older.map(\.day))
    }

    /// Whether `job` may be tried, for a picture that is recorded.
    private func mayMake(_ job: JPEGJob, at now: Date) -> Bool {
        do {
            guard let picture = try store.record(of: job.day)?.picture else { return false }
            return failedPictures.mayTry(job.path, of: picture.sha256, at: now)
        } catch {
            // The record may name a picture: then making the thumbnail reports the error.
            return true
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

    /// Those of the renditions `jobs` that are missing or of another picture; their thumbnails show that the pictures can be
    /// decoded.
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

    /// Removes the renditions for the gallery but those of `jobs`; returns whether there were any.
    package func removeRenditions(except jobs: [JPEGJob]) throws(SystemError) -> Bool {
        let names = try store.tree.root.folder(Rendition.folder)?.textNames() ?? []
        let needed = Set(jobs.map(\.path))
        let others = names.map { "\(Rendition.folder)/\($0)" }.filter { !needed.contains($0) }
        return try !ViewFiles(of: .renditions, in: store).remove(others).changed.isEmpty
    }
}

package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// Not made yet, or to be retried.
    package let missing: Int
    /// No thumbnail can be made.
    package let rejected: Int
}
