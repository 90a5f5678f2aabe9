internal import FoundationEssentials
package import Mirror
internal import Platform
internal import ThumbnailProtocol

/// How thumbnails and renditions are made from pictures.
///
/// A child task lets the thumbnailer, a sandboxed process, decode one picture after the other, and delivers the JPEGs by a
/// stream. The task of the caller publishes them: while it waits for the disk, the next picture is decoded.
extension Thumbnails {
    /// What the child task delivers for a job: a JPEG to be published, or a failure to be reported.
    private struct DecodeResult: Sendable {
        let job: JPEGJob
        let jpeg: Result<DecodedJPEG, ThumbnailFailure>
        /// A permit of ``slotsForDecodedJPEGs``, until the result is reported; `nil` if the thumbnailer itself failed.
        var slot: AsyncSemaphore.Permit?
    }

    /// Makes the files of `jobs`, which are all thumbnails or all renditions, and calls `report` for each that was made or has
    /// failed; files that were up to date are not reported.
    ///
    /// A failure of all pictures, such as a full disk, is reported once, and no more pictures are tried; many crashes in a row
    /// count as such a failure. After a cancellation, the process ends, and jobs that were not published are not reported.
    package func make(
        _ jobs: [JPEGJob], report: (JPEGJob, Result<Void, ThumbnailFailure>) -> Void
    ) async {
        guard let view = jobs.first?.view else { return }
        // One value for all files: it keeps the table of the view in memory.
        let files = ViewFiles(of: view, in: store)
        // The stream needs no bound, because `slotsForDecodedJPEGs` limits the JPEGs in it.
        let (results, continuation) = AsyncStream.makeStream(of: DecodeResult.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: ThreadPoolExecutor.shared) {
                await decodeAll(jobs, into: continuation)
            }
            for await decoded in results {
                let result = decoded.jpeg.flatMap { publish($0, for: decoded.job, in: files) }
                report(decoded.job, result)
                decoded.slot?.release()
                if case .failure(let failure) = result, failure.affectsAllPictures {
                    group.cancelAll()
                    break
                }
            }
        }
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

    // MARK: In the child task

    /// Decodes the pictures of `jobs` until one fails in a way that affects all pictures, or the task is cancelled.
    private func decodeAll(
        _ jobs: [JPEGJob], into results: AsyncStream<DecodeResult>.Continuation
    ) async {
        defer { results.finish() }
        var process: ThumbnailerProcess
        do {
            process = try makeProcess(options.limits)
        } catch {
            results.yield(DecodeResult(job: jobs[0], jpeg: .failure(error)))
            return
        }
        var crashes = CrashCounter()
        for job in jobs where !Task.isCancelled {
            // Only a cancellation makes this fail.
            guard let slot = try? await slotsForDecodedJPEGs.waitForPermit() else { return }
            do throws(ThumbnailFailure) {
                let jpeg = try await decodedJPEG(for: job, with: &process)
                crashes.reset()
                guard let jpeg else { continue }
                results.yield(DecodeResult(job: job, jpeg: .success(jpeg), slot: slot))
            } catch .cancelled {
                return
            } catch {
                results.yield(DecodeResult(job: job, jpeg: .failure(error), slot: slot))
                if error.affectsAllPictures { return }
                guard let failure = crashes.failureOfAllPictures(after: error) else { continue }
                results.yield(DecodeResult(job: job, jpeg: .failure(failure)))
                return
            }
        }
    }

    /// Decodes the picture of `job`; returns `nil` if the file of `job` is up to date.
    private func decodedJPEG(
        for job: JPEGJob, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> DecodedJPEG? {
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
                return nil
            }
            try store.checkFreeSpace(for: Self.minimumSpace, at: job.path)
            let bytes = try await makeJPEG(of: picture, from: file, side: job.side, with: &process)
            return DecodedJPEG(pictureSHA256: picture.sha256, modified: modified, bytes: bytes)
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
