package import APOD
internal import FoundationEssentials
package import Mirror
internal import Platform
internal import ThumbnailProtocol

/// A JPEG that is to be made of the picture of a day.
package struct JPEGJob: Hashable, Sendable {
    private enum Kind { case thumbnail, rendition }

    package let day: Day
    private let kind: Kind

    package init(thumbnailOf day: Day) { (self.day, kind) = (day, .thumbnail) }
    package init(renditionOf day: Day) { (self.day, kind) = (day, .rendition) }

    package var isThumbnail: Bool { kind == .thumbnail }

    /// Relative to the root.
    package var path: String {
        switch kind {
        case .thumbnail: Layout.thumbnail(of: day)
        case .rendition: Rendition.path(of: day)
        }
    }

    /// The maximum of its longer side, in pixels.
    var side: Int {
        switch kind {
        case .thumbnail: ThumbnailRequest.thumbnailSide
        case .rendition: Rendition.side
        }
    }

    var view: ViewName {
        switch kind {
        case .thumbnail: .thumbnails
        case .rendition: .renditions
        }
    }
}

/// Making thumbnails and renditions.
///
/// A child task decodes one picture after the other. The task of the caller publishes them, and waits for the disk while the
/// next picture is decoded.
extension Thumbnails {
    /// A decoded picture on its way to the caller.
    private struct Decoded: Sendable {
        let sha256: String
        /// The modification time of the picture, which its thumbnail gets.
        let modified: Int
        let bytes: [UInt8]
    }

    /// What the child task delivers: a picture to be published, or a failure to be reported.
    private struct Attempt: Sendable {
        let job: JPEGJob
        let picture: Result<Decoded, ThumbnailFailure>
        /// One of ``places``, which is released once the picture is published; `nil` for a failure of all pictures.
        var place: AsyncSemaphore.Permit?
    }

    /// So many consecutive crashes are not caused by the pictures, but by the thumbnailer or a lack of memory.
    private static let maximumCrashes = 8
    /// An empty file that hides the thumbnails from photo apps on phones.
    private static let noMediaMarker = "\(Layout.thumbnails)/.nomedia"

    /// Makes the files of `jobs`, all thumbnails or all renditions; `report` receives for each as soon as it is known
    /// whether it was made.
    ///
    /// A failure of all pictures, such as a full disk, is reported once and ends the work; so do many crashes in a row. If
    /// the task is cancelled, the work and the process end, and jobs that were not published are not reported.
    package func make(
        _ jobs: [JPEGJob], report: (JPEGJob, Result<Void, ThumbnailFailure>) -> Void
    ) async {
        guard let view = jobs.first?.view else { return }
        // Holds the table of the view, of which each picture changes a row.
        let files = ViewFiles(of: view, in: store)
        // The stream needs no bound, because the places are one.
        let (pictures, continuation) = AsyncStream.makeStream(of: Attempt.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: ThreadPoolExecutor.shared) {
                await decode(jobs, into: continuation)
            }
            for await attempt in pictures {
                let result = attempt.picture.flatMap {
                    publish($0, for: attempt.job, in: files)
                }
                report(attempt.job, result)
                attempt.place?.release()
                if case .failure(let failure) = result, failure.affectsAllPictures {
                    group.cancelAll()
                    break
                }
            }
        }
        // After an error, the failures are still known, and saved after the next round.
        try? failedPictures.save()
    }

    /// Makes the thumbnail of the newest picture, also while another task makes others.
    ///
    /// - Returns: `nil` if none was made: it is there, it failed now or before, or the task was cancelled.
    ///   `ThumbnailService`
    ///   reports other problems.
    package func makeNewest(in snapshot: TreeSnapshot) async -> JPEGJob? {
        guard isAvailable, let job = try? missingThumbnails(in: snapshot).first,
            job.day == snapshot.days.last(where: \.canHaveThumbnail)?.day
        else { return nil }
        var made: JPEGJob?
        await make([job]) { if case .success = $1 { made = $0 } }
        return made
    }

    // MARK: In the child task

    private func decode(
        _ jobs: [JPEGJob], into pictures: AsyncStream<Attempt>.Continuation
    ) async {
        defer { pictures.finish() }
        var process: ThumbnailerProcess
        do {
            process = try makeProcess(options.limits)
        } catch {
            pictures.yield(Attempt(job: jobs[0], picture: .failure(error)))
            return
        }
        /// The number of crashes in a row.
        var crashes = 0
        for job in jobs where !Task.isCancelled {
            // This fails only after a cancellation.
            guard let place = try? await places.permit() else { return }
            do throws(ThumbnailFailure) {
                if let picture = try await decode(job, with: &process) {
                    pictures.yield(Attempt(job: job, picture: .success(picture), place: place))
                }
                crashes = 0
            } catch .cancelled {
                return
            } catch {
                pictures.yield(Attempt(job: job, picture: .failure(error), place: place))
                if error.affectsAllPictures { return }
                guard case .crashed(let reason) = error else {
                    crashes = 0
                    continue
                }
                crashes += 1
                guard crashes == Self.maximumCrashes else { continue }
                let failure = ThumbnailFailure.unavailable(
                    "the thumbnailer failed \(crashes) times in a row: \(reason)")
                pictures.yield(Attempt(job: job, picture: .failure(failure)))
                return
            }
        }
    }

    /// The decoded picture of `job`; `nil` if its file is up to date.
    private func decode(
        _ job: JPEGJob, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> Decoded? {
        var sha256: String?
        do {
            guard let picture = try store.record(of: job.day)?.picture else {
                throw ThumbnailFailure.noPicture("the day has no picture")
            }
            sha256 = picture.sha256
            let file = try open(picture)
            let modified = try file.status(path: picture.path).modified
            if try isCurrent(job, of: picture) {
                try restoreTime(of: job, modified)
                return nil
            }
            try store.checkFreeSpace(for: Self.minimumSpace, at: job.path)
            let permit = try await decoding.permit()
            defer { permit.release() }
            let bytes = try await decode(picture, from: file, side: job.side, with: &process)
            return Decoded(sha256: picture.sha256, modified: modified, bytes: bytes)
        } catch {
            throw failure(by: error, of: job.path, sha256)
        }
    }

    /// Whether the file of `job` is there, is whole, and was made of this picture.
    private func isCurrent(_ job: JPEGJob, of picture: PictureRecord) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let bytes = try store.tree.root.read(job.path, limit: options.limits.file)
            return bytes.map { ThumbnailFile.isThumbnail($0, of: picture.sha256) } ?? false
        } catch  where error.cause == .invalid {
            return false
        }
    }

    /// Gives a current file whose time somebody changed the time of its picture again, so that it is not doubtful any more.
    ///
    /// A file that a person edited keeps its time, which shows that it is the person's.
    private func restoreTime(of job: JPEGJob, _ modified: Int) throws(SystemError) {
        let root = store.tree.root
        guard try root.status(job.path)?.modified != modified,
            try ViewFiles(of: job.view, in: store).owns(job.path)
        else { return }
        // Only the owner of a file may set its time. On a disk that sets no times, the present one shows that it is current.
        try? store.keepsTimes()
            ? root.setModified(modified, of: job.path) : root.setModifiedNow(of: job.path)
        store.snapshots.recordChange(of: job.day)
    }

    // MARK: In the task of the caller

    private func publish(
        _ picture: Decoded, for job: JPEGJob, in viewFiles: ViewFiles
    ) -> Result<Void, ThumbnailFailure> {
        do {
            try write(picture, for: job, in: viewFiles)
            failedPictures.forget(job.path)
            return .success(())
        } catch {
            return .failure(failure(by: error, of: job.path, picture.sha256))
        }
    }

    private func write(_ picture: Decoded, for job: JPEGJob, in viewFiles: ViewFiles) throws {
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

    // MARK: Failures

    /// Records why the file at `path` was not made of the picture with this SHA-256; `nil` if that is unknown.
    func failure(by error: any Error, of path: String, _ sha256: String?) -> ThumbnailFailure {
        let failure = ThumbnailFailure(error)
        failedPictures.record(failure, of: path, sha256, at: Date())
        // A crash is on the disk before another thumbnailer starts.
        if case .crashed = failure { try? failedPictures.save() }
        return failure
    }
}
