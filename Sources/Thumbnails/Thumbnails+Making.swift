internal import FoundationEssentials
package import Mirror
internal import Platform
internal import ThumbnailProtocol

/// How thumbnails and renditions are made.
///
/// A child task decodes one picture after the other. The task of the caller publishes the JPEGs: while it waits for the disk,
/// the next picture is decoded.
extension Thumbnails {
    /// The JPEG of a picture, which the caller is to publish.
    private struct DecodedPicture: Sendable {
        /// The SHA-256 of the picture.
        let sha256: String
        /// The modification time of the picture, which the JPEG gets, too.
        let modified: Int
        /// The JPEG.
        let bytes: [UInt8]
    }

    /// What the child task delivers: a picture to be published, or a failure to be reported.
    private struct Attempt: Sendable {
        let job: JPEGJob
        let picture: Result<DecodedPicture, ThumbnailFailure>
        /// A permit of ``decodedPictures``, which ends with the attempt, or when the picture is published; `nil` for a failure
        /// of all pictures.
        var permit: AsyncSemaphore.Permit?
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
            return .unavailable("the thumbnailer failed \(count) times in a row: \(reason)")
        }
    }

    /// An empty file that hides the thumbnails from photo apps on phones.
    private static let noMediaMarker = "\(Layout.thumbnails)/.nomedia"

    /// Makes the files of `jobs`, which are all thumbnails or all renditions, and calls `report` for each that was made or has
    /// failed; files that were up to date are not reported.
    ///
    /// A failure of all pictures, such as a full disk, is reported once, and no more pictures are tried; many crashes in a row
    /// count as such a failure. After a cancellation, the process ends, and jobs that were not published are not reported.
    package func make(
        _ jobs: [JPEGJob], report: (JPEGJob, Result<Void, ThumbnailFailure>) -> Void
    ) async {
        guard let view = jobs.first?.view else { return }
        // One value for all pictures: it keeps the table of the view in memory.
        let files = ViewFiles(of: view, in: store)
        // The stream needs no bound, because `decodedPictures` limits the pictures in it.
        let (attempts, continuation) = AsyncStream.makeStream(of: Attempt.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: ThreadPoolExecutor.shared) {
                await decodeAll(jobs, into: continuation)
            }
            for await attempt in attempts {
                let result = attempt.picture.flatMap {
                    publish($0, for: attempt.job, in: files)
                }
                report(attempt.job, result)
                attempt.permit?.release()
                if case .failure(let failure) = result, failure.affectsAllPictures {
                    group.cancelAll()
                    break
                }
            }
        }
        // After an error, the failures are still in memory, and are saved after the next round.
        try? failedPictures.save()
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

    // MARK: In the child task

    private func decodeAll(
        _ jobs: [JPEGJob], into attempts: AsyncStream<Attempt>.Continuation
    ) async {
        defer { attempts.finish() }
        var process: ThumbnailerProcess
        do {
            process = try makeProcess(options.limits)
        } catch {
            attempts.yield(Attempt(job: jobs[0], picture: .failure(error)))
            return
        }
        var crashes = CrashCounter()
        for job in jobs where !Task.isCancelled {
            // Only a cancellation makes this fail.
            guard let permit = try? await decodedPictures.permit() else { return }
            do throws(ThumbnailFailure) {
                let picture = try await decodedPicture(for: job, with: &process)
                crashes.reset()
                guard let picture else { continue }
                attempts.yield(Attempt(job: job, picture: .success(picture), permit: permit))
            } catch .cancelled {
                return
            } catch {
                attempts.yield(Attempt(job: job, picture: .failure(error), permit: permit))
                if error.affectsAllPictures { return }
                if let failure = crashes.failureOfAllPictures(after: error) {
                    attempts.yield(Attempt(job: job, picture: .failure(failure)))
                    return
                }
            }
        }
    }

    /// Decodes the picture of `job`; returns `nil` if the file of `job` is up to date.
    private func decodedPicture(
        for job: JPEGJob, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> DecodedPicture? {
        var sha256: String?
        do {
            guard let picture = try store.record(of: job.day)?.picture else {
                throw ThumbnailFailure.noPicture("the day has no picture")
            }
            sha256 = picture.sha256
            let file = try openFile(of: picture)
            let modified = try file.status(path: picture.path).modified
            if try isCurrent(job, of: picture) {
                try restoreTime(of: job, modified)
                return nil
            }
            try store.checkFreeSpace(for: Self.minimumSpace, at: job.path)
            let permit = try await decoding.permit()
            defer { permit.release() }
            let bytes = try await makeJPEG(
                of: picture, from: file, side: job.side, with: &process)
            return DecodedPicture(sha256: picture.sha256, modified: modified, bytes: bytes)
        } catch {
            throw recordFailure(error, of: job.path, from: sha256)
        }
    }

    /// Whether the file of `job` is there, is whole, and was made from this picture.
    private func isCurrent(_ job: JPEGJob, of picture: PictureRecord) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let bytes = try store.tree.root.read(job.path, limit: options.limits.file)
            return bytes.map { ThumbnailFile.isThumbnail($0, of: picture.sha256) } ?? false
        } catch  where error.cause == .invalid {
            return false
        }
    }

    /// If somebody changed the time of an up-to-date file, sets it to `modified`, the time of its picture.
    ///
    /// With another time, the file would be read again in each round. A file that a person has edited keeps its time, which
    /// shows that it is the person's.
    private func restoreTime(of job: JPEGJob, _ modified: Int) throws(SystemError) {
        let root = store.tree.root
        guard try root.status(job.path)?.modified != modified,
            try ViewFiles(of: job.view, in: store).owns(job.path)
        else { return }
        do {
            if try store.keepsTimes() {
                try root.setModified(modified, of: job.path)
            } else {
                // On this disk, a time that is later than that of the picture does as well.
                try root.setModifiedNow(of: job.path)
            }
        } catch {
            // Only the owner of a file may set its time.
        }
        store.snapshots.recordChange(of: job.day)
    }

    // MARK: In the task of the caller

    private func publish(
        _ picture: DecodedPicture, for job: JPEGJob, in viewFiles: ViewFiles
    ) -> Result<Void, ThumbnailFailure> {
        do {
            try write(picture, for: job, in: viewFiles)
            failedPictures.forget(job.path)
            return .success(())
        } catch {
            return .failure(recordFailure(error, of: job.path, from: picture.sha256))
        }
    }

    private func write(
        _ picture: DecodedPicture, for job: JPEGJob, in viewFiles: ViewFiles
    ) throws {
        let root = store.tree.root
        var files = [
            ViewFiles.File(path: job.path, bytes: picture.bytes, modified: picture.modified)
        ]
        if job.isThumbnail, try root.status(Self.noMediaMarker) == nil {
            files.append(ViewFiles.File(path: Self.noMediaMarker, bytes: []))
        }
        let made = try viewFiles.publish(files)
        if let error = made.unreadable.first { throw error }
        if let path = made.obstructed.first {
            throw ThumbnailFailure.obstructed(ViewFiles.obstruction(by: path, in: root))
        }
    }

    /// Records that the file at `path` could not be made from the picture with this SHA-256, and returns the failure to throw.
    func recordFailure(
        _ error: any Error, of path: String, from sha256: String?
    ) -> ThumbnailFailure {
        let failure = ThumbnailFailure(error)
        failedPictures.record(failure, of: path, from: sha256, at: Date())
        // A crash is saved before another thumbnailer starts.
        if case .crashed = failure { try? failedPictures.save() }
        return failure
    }
}
