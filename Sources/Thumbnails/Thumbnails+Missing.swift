internal import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// Finds the thumbnails that are missing, and the *doubtful* ones, which may not show the picture of their day.
///
/// A thumbnail gets the modification time of its picture. One with another time is doubtful: it may have been cut short, or made
/// from another picture. ``make(_:report:)`` checks it.
extension Thumbnails {
    /// The thumbnails to make or to check, newest first, without those whose retry is not due at `now`.
    package func missingThumbnails(
        in snapshot: TreeSnapshot, at now: Date = Date()
    ) throws -> [JPEGJob] {
        let days = try daysWithoutThumbnail(in: snapshot) + daysWithDoubtfulThumbnail(in: snapshot)
        var jobs: [JPEGJob] = []
        var paths: Set<String> = []
        for files in days.sorted(by: { $0.day > $1.day }) {
            let job = JPEGJob(thumbnailOf: files.day)
            do throws(SystemError) {
                guard let picture = try existingPicture(of: files) else { continue }
                if failedPictures.mayTry(job.path, from: picture.sha256, at: now) {
                    jobs.append(job)
                }
            } catch {
                if error.concernsEveryFile { throw error }
                // The error is reported when the thumbnail is to be made.
                jobs.append(job)
            }
            paths.insert(job.path)
        }
        failedPictures.forgetAttempts(in: Layout.thumbnails, except: paths)
        return jobs
    }

    /// The recorded picture of a day; `nil` if no file of its size is there, so that any other picture of the day is a person's.
    func existingPicture(
        of files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> PictureRecord? {
        guard let picture = try store.record(of: files.day)?.picture, picture.removed == nil,
            try files.stamp(ofFileAt: picture.path, in: store.tree.root)?.size == picture.bytes
        else { return nil }
        return picture
    }

    /// The days with a picture and no thumbnail, without those whose only pictures are a person's.
    ///
    /// A day whose thumbnails cannot be listed is left out, because it may have one.
    ///
    /// `daysWithFiles` is the result of ``Store/daysWithFiles(_:)``, if the caller has it already.
    func daysWithoutThumbnail(
        in snapshot: TreeSnapshot, daysWithFiles knownDays: Set<Day>? = nil
    ) throws -> [TreeSnapshot.DayFiles] {
        let days = snapshot.days.filter {
            $0.thumbnail == nil && $0.canHaveThumbnail && snapshot.thumbnailError(of: $0.day) == nil
        }
        // Nearly all days have a thumbnail.
        guard !days.isEmpty else { return [] }
        let daysWithFiles = try knownDays ?? store.daysWithFiles(snapshot)
        return days.filter { daysWithFiles.contains($0.day) }
    }

    /// The days with a doubtful thumbnail.
    private func daysWithDoubtfulThumbnail(
        in snapshot: TreeSnapshot
    ) throws(SystemError) -> [TreeSnapshot.DayFiles] {
        let daysWithPicture = snapshot.days.lazy.filter { $0.record != nil && $0.hasPicture }
        let daysWithOtherTime = daysWithPicture.filter(\.thumbnailHasOtherTime)
        // Mostly, nothing is doubtful, and the disk need not be tried by `keepsTimes`.
        if daysWithOtherTime.isEmpty { return [] }
        if try store.keepsTimes() { return Array(daysWithOtherTime) }
        // On this disk, each file has the time at which it was written.
        return daysWithPicture.filter(\.thumbnailIsOlderThanPictures)
    }
}

/// How the modification time of a thumbnail, in seconds, compares with that of the pictures of its day.
extension TreeSnapshot.DayFiles {
    private var pictureSeconds: [Int64] { pictures.map(\.stamp.modified.components.seconds) }

    /// Whether there is a thumbnail, and no picture has its time.
    fileprivate var thumbnailHasOtherTime: Bool {
        guard let thumbnail else { return false }
        return !pictureSeconds.contains(thumbnail.modified.components.seconds)
    }

    /// Whether there is a thumbnail, and each picture is newer.
    fileprivate var thumbnailIsOlderThanPictures: Bool {
        guard let thumbnail else { return false }
        return pictureSeconds.allSatisfy { $0 > thumbnail.modified.components.seconds }
    }
}
