package import APOD
internal import FoundationEssentials
internal import Glibc
package import Mirror
internal import Platform
package import ThumbnailProtocol

/// Makes the thumbnails of a mirror in `gallery/thumbnails/`, one at a time.
///
/// Extensions make two other kinds of JPEG: renditions, the smaller copies of large pictures for the gallery and `v1/`;
/// and conversions, the newest picture for `latest.jpg` if it is no JPEG.
///
/// Pictures are decoded in a sandboxed process, see ``ThumbnailerLimits``. `ThumbnailService` calls ``thumbnails(of:)``
/// for all that are missing; the view of the newest one calls ``makeNewest(in:)``.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The path of the thumbnailer; `nil` if it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.defaults
        /// The maximum time for one picture, without the time of a suspension.
        package var timeout = Duration.seconds(90)

        package init() {}
    }

    /// The path of the file that records the pictures that could not be decoded.
    package static let failuresPath = FailedPicturesFile.path

    let store: Store
    let failedPictures: FailedPicturesFile
    let options: Options
    /// The renditions and conversions that failed, which are retried with growing delays.
    let failedJPEGs = SharedValue(FailedJPEGs())
    /// One picture is decoded at a time, for thumbnails, renditions and conversions: two would exceed the memory limit
    /// of the systemd unit.
    let decoding = AsyncSemaphore(1)
    /// The current or last task that makes thumbnails.
    let latestTask = SharedValue(Task<Void, Never>?.none)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        failedPictures = FailedPicturesFile(of: store)
    }

    /// What the tree holds now; the thumbnails that are made change it.
    package var snapshots: SnapshotOwner { store.snapshots }
    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { options.program != nil }
    /// Whether there is free space for a thumbnail; `false` if that is unknown.
    package var hasSpace: Bool { (try? store.availableBytes() >= Self.minimumSpace) ?? false }

    /// Hides the thumbnails from photo apps on phones.
    private static let noMediaMarker = ".nomedia"
    /// The free space needed for a thumbnail, in bytes.
    private static let minimumSpace = 1 << 20
    /// After this many consecutive crashes the thumbnailer itself is broken.
    private static let maximumCrashes = 8

    /// Throws `ENOSPC` if there is no free space for the thumbnail of `day`.
    func checkSpace(for day: Day) throws(SystemError) {
        guard try store.availableBytes() >= Self.minimumSpace else {
            throw SystemError("write", path: Layout.thumbnail(of: day), code: ENOSPC)
        }
    }

    /// Makes the thumbnails of `days`, after earlier calls have finished.
    ///
    /// - Returns: The outcome of each day as soon as it is known. A failure that affects all pictures, such as a full
    ///   disk, is the outcome of one day and ends the stream, as do many crashes in a row. Dropping the stream ends the
    ///   work and the process.
    package func thumbnails(of days: [Day]) -> AsyncStream<ThumbnailOutcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: ThumbnailOutcome.self)
        let work = latestTask.withLock { latest in
            let earlier = latest
            let work = Task(executorPreference: ThreadPoolExecutor.shared) {
                defer { continuation.finish() }
                // Two tasks would write the same files, and a cancelled one takes a moment to end.
                await earlier?.value
                await makeAll(of: days) { continuation.yield($0) }
            }
            latest = work
            return work
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    /// Makes the thumbnails of `days` one by one, and stops when no other can be made.
    private func makeAll(of days: [Day], report: (ThumbnailOutcome) -> Void) async {
        guard let first = days.first, !Task.isCancelled else { return }
        do {
            let folder = try store.tree.root.makeDirectory(Layout.thumbnails)
            if try folder.status(Self.noMediaMarker) == nil {
                try store.publishAlways([], in: folder, as: Self.noMediaMarker)
            }
            var process = try makeProcess(options.limits)
            var crashes = 0
            for day in days {
                let made = try? await decoding.withPermit { await makeOne(of: day, with: &process) }
                let outcome = made ?? ThumbnailOutcome(day: day, result: .failure(.cancelled))
                report(outcome)
                if case .failure(.crashed) = outcome.result { crashes += 1 } else { crashes = 0 }
                if outcome.affectsAllPictures || crashes == Self.maximumCrashes { break }
            }
        } catch {
            return report(ThumbnailOutcome(day: first, result: .failure(ThumbnailFailure(error))))
        }
        // What is not saved is still known, and saved after the next round.
        try? failedPictures.save()
    }

    /// Makes the thumbnail of the newest picture, also while ``thumbnails(of:)`` is at work; `nil` if none was tried.
    ///
    /// None is tried if it is there, or not to be retried yet, or if the task is cancelled before. If it is not known
    /// which days need one, or the thumbnailer is not installed, `ThumbnailService` reports that.
    package func makeNewest(in snapshot: TreeSnapshot) async -> ThumbnailOutcome? {
        guard let day = try? daysToMake(in: snapshot).first,
            day == snapshot.days.last(where: \.canHaveThumbnail)?.day,
            var process = try? makeProcess(options.limits)
        else { return nil }
        let outcome = try? await decoding.withPermit { await makeOne(of: day, with: &process) }
        try? failedPictures.save()
        return outcome
    }

    /// Returns a process that is not started yet; throws `.unavailable` if the thumbnailer is not installed.
    func makeProcess(
        _ limits: ThumbnailerLimits
    ) throws(ThumbnailFailure) -> ThumbnailerProcess {
        guard let program = options.program else {
            throw .unavailable("apod-mirror-thumbnailer is not installed; reinstall apod-mirror")
        }
        return ThumbnailerProcess(program: program, limits: limits, timeout: options.timeout)
    }

    /// Makes the thumbnail of `day` with `process`, which is started if necessary.
    private func makeOne(
        of day: Day, with process: inout ThumbnailerProcess
    ) async -> ThumbnailOutcome {
        do {
            let path = try await decodeAndPublish(day, with: &process)
            failedPictures.update { $0.forget(day) }
            return ThumbnailOutcome(day: day, result: .success(path))
        } catch {
            return ThumbnailOutcome(day: day, result: .failure(ThumbnailFailure(error)))
        }
    }

    /// Makes and publishes the thumbnail of `day`, or records the failure; returns the path.
    private func decodeAndPublish(
        _ day: Day, with process: inout ThumbnailerProcess
    ) async throws -> String {
        guard let picture = try store.record(of: day)?.picture else {
            throw ThumbnailFailure.noPicture("the day has no picture")
        }
        let path = Layout.thumbnail(of: day)
        // Of ``makeNewest(in:)`` and ``thumbnails(of:)``, the other one may have made it.
        if originalSHA256(storedIn: path) == picture.sha256 { return path }
        try checkSpace(for: day)
        let file = try open(picture)
        do {
            let bytes = try await decode(picture, from: file, with: &process)
            try store.publishDayFile(bytes, of: day, at: path)
            return path
        } catch {
            try recordFailure(ThumbnailFailure(error), of: day, picture.sha256)
            throw error
        }
    }

    /// Makes a JPEG of `picture`, whose open file is `file`, for a thumbnail, rendition or conversion.
    ///
    /// - Throws: A failure that rejects the picture only if `file` is as recorded: a damaged file may be repaired.
    func decode(
        _ picture: PictureRecord, from file: borrowing FileDescriptor,
        side: Int = ThumbnailRequest.thumbnailSide, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> [UInt8] {
        do throws(ThumbnailFailure) {
            // The process reports a file whose header cannot be read.
            let type = try? MediaHeader(reading: file).type
            if let type, !Self.supportedTypes.contains(type) {
                throw ThumbnailFailure.unsupported(
                    "thumbnails of \(type.rawValue) are not supported")
            }
            return try await process.make(of: file, sha256: picture.sha256, side: side)
        } catch {
            guard error.rejectsPicture else { throw error }
            let found: String
            do throws(SystemError) {
                found = try file.sha256(path: picture.path, limit: picture.bytes)
            } catch let readError {
                throw ThumbnailFailure(readError)
            }
            guard found == picture.sha256 else {
                throw .failed("\(picture.path) does not match its record")
            }
            throw error
        }
    }

    /// Opens the file of `picture`; throws `.noPicture` unless it has the recorded size, or ``SystemError``.
    func open(_ picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.openToRead(picture.path)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                "\(picture.path) does not have the recorded size of \(picture.bytes) bytes")
        }
        return file
    }

    static let supportedTypes: Set<MediaType> = [.jpeg, .png, .gif, .webp]

    /// Records that the picture of `day` is rejected, or when it is retried; nothing if every picture would fail.
    private func recordFailure(
        _ failure: ThumbnailFailure, of day: Day, _ sha256: String
    ) throws {
        guard !failure.affectsAllPictures else { return }
        failedPictures.update { $0.record(failure, of: day, sha256, at: Date()) }
        // Save a crash before the next process is started.
        if case .crashed = failure { try failedPictures.save() }
    }
}

package struct ThumbnailOutcome: Sendable {
    package let day: Day
    /// The path of the thumbnail or rendition, relative to the root, or the failure.
    package let result: Result<String, ThumbnailFailure>

    /// Whether it is a failure that every other picture would have, too.
    fileprivate var affectsAllPictures: Bool {
        if case .failure(let failure) = result { failure.affectsAllPictures } else { false }
    }
}
