internal import FoundationEssentials
package import Mirror
internal import Platform
internal import ThumbnailProtocol

/// How thumbnails and renditions are made from pictures.
///
/// The thumbnailer, a sandboxed process, decodes one picture after the other. Each JPEG is published before the next picture is
/// decoded, so that only one JPEG is in memory.
extension Thumbnails {
    /// Makes the files of `jobs`, which are all thumbnails or all renditions, and calls `report` for each that was made or has
    /// failed; files that were up to date are not reported.
    ///
    /// A failure of all pictures, such as a full disk, is reported once, and no more pictures are tried; many crashes in a row
    /// count as such a failure. After a cancellation, the process ends, and jobs that were not published are not reported.
    package func make(
        _ jobs: [JPEGJob], report: (JPEGJob, Result<Void, ThumbnailFailure>) -> Void
    ) async {
        guard let firstJob = jobs.first else { return }
        var process: ThumbnailerProcess
        do {
            process = try makeProcess(options.limits)
        } catch {
            report(firstJob, .failure(error))
            return
        }
        await make(jobs, with: &process, report: report)
        // After an error, the rejected pictures are still in memory, and are saved after the next round.
        try? failedPictures.rejected.save()
    }

    /// Makes the thumbnail of the newest picture; another task may make other thumbnails at the same time.
    ///
    /// - Returns: `nil` if it was not made: it was there, it failed now or before, or the task was cancelled.
    package func makeNewest(in snapshot: TreeSnapshot) async -> JPEGJob? {
        let newest = snapshot.days.last(where: \.canHaveThumbnail)?.day
        guard isAvailable, let job = try? missingThumbnails(in: snapshot).first, job.day == newest
        else { return nil }
        var made: JPEGJob?
        await make([job]) { job, result in
            if case .success = result { made = job }
        }
        return made
    }

    private func make(
        _ jobs: [JPEGJob], with process: inout ThumbnailerProcess,
        report: (JPEGJob, Result<Void, ThumbnailFailure>) -> Void
    ) async {
        // One value for all files: it keeps the table of the view in memory.
        let files = ViewFiles(of: jobs[0].view, in: store)
        var crashes = CrashCounter()
        for job in jobs where !Task.isCancelled {
            do throws(ThumbnailFailure) {
                let isNew = try await make(job, in: files, with: &process)
                crashes.reset()
                if isNew { report(job, .success(())) }
            } catch .cancelled {
                return
            } catch {
                report(job, .failure(error))
                if error.affectsAllPictures { return }
                guard let failure = crashes.failureOfAllPictures(after: error) else { continue }
                report(job, .failure(failure))
                return
            }
        }
    }

    /// Makes the file of `job`; returns `false` if it is up to date.
    private func make(
        _ job: JPEGJob, in files: ViewFiles, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> Bool {
        var sha256: String?
        do {
            guard let picture = try store.record(of: job.day)?.picture else {
                throw ThumbnailFailure.noPicture(sentence: "the day has no picture")
            }
            sha256 = picture.sha256
            let file = try openFile(of: picture)
            let modified = try file.status(path: picture.path).modified
            if try isCurrent(job, of: picture) {
                try restoreTime(of: job, modified)
                return false
            }
            try store.checkFreeSpace(for: Self.minimumSpace, at: job.path)
            let jpeg = try await makeJPEG(of: picture, from: file, side: job.side, with: &process)
            try publish(jpeg, for: job, modified: modified, in: files)
            failedPictures.forget(job.path)
            return true
        } catch {
            throw recordFailure(error, of: job.path, from: sha256)
        }
    }

    /// Records that the file at `path` could not be made from the picture with this SHA-256; returns the failure to throw.
    func recordFailure(
        _ error: any Error, of path: String, from sha256: String?
    ) -> ThumbnailFailure {
        let failure = ThumbnailFailure(error)
        failedPictures.record(failure, of: path, from: sha256, at: Date())
        return failure
    }
}

/// Counts the crashes of the thumbnailer in a row.
private struct CrashCounter {
    /// After so many crashes, the cause is not a picture, but the thumbnailer or a lack of memory.
    private static let maximum = 8
    private var count = 0

    mutating func reset() { count = 0 }

    /// Counts `failure` if it is a crash; after too many crashes, returns the failure of all pictures, else `nil`.
    mutating func failureOfAllPictures(after failure: ThumbnailFailure) -> ThumbnailFailure? {
        guard case .crashed(let reason) = failure else {
            reset()
            return nil
        }
        count += 1
        guard count == Self.maximum else { return nil }
        return .unavailable(
            reason: "the thumbnailer failed \(count) times in a row: \(reason)")
    }
}
