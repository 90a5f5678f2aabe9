package import APOD
internal import FoundationEssentials
internal import Glibc
package import Maintenance
package import Mirror
internal import Platform
package import ThumbnailProtocol

/// Makes the thumbnails of a mirror.
///
/// Pictures are decoded in a sandboxed process, see ``ThumbnailerLimits``.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The path of the thumbnailer; `nil` if it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.defaults
        /// The maximum time for one picture, without the time of a suspension.
        package var timeout = Duration.seconds(90)
        /// Pictures decoded at once: more than one would exceed the memory limit of the systemd unit.
        package var width = 1

        package init() {}
    }

    /// The path of the file that records the pictures that could not be decoded.
    package static let failuresPath = FailedPicturesFile.path

    let store: Store
    let failedPictures: FailedPicturesFile
    let options: Options
    /// The paths of renditions that failed, with the SHA-256 of the picture, to try each only once.
    let failedRenditions = Monitor(Set<String>())
    /// Limits how many pictures are decoded at once to ``Options/width``: for thumbnails, renditions and conversions.
    let decoding: AsyncSemaphore
    /// The current or last task that makes thumbnails.
    let latestTask = Monitor(Task<Void, Never>?.none)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        decoding = AsyncSemaphore(options.width)
        failedPictures = FailedPicturesFile(of: store)
    }

    package var snapshots: SnapshotOwner { store.snapshots }

    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { options.program != nil }

    /// Whether there is free space for a thumbnail; `false` if that is unknown.
    package var hasSpace: Bool { (try? store.availableBytes() >= Self.minimumSpace) ?? false }

    // MARK: Making thumbnails

    /// Hides the thumbnails from photo apps on phones.
    private static let marker = ".nomedia"

    /// The free space needed for a thumbnail, in bytes.
    private static let minimumSpace = 1 << 20

    /// Throws `ENOSPC` if there is no free space for the thumbnail of `day`.
    func checkSpace(for day: Day) throws(SystemError) {
        guard try store.availableBytes() >= Self.minimumSpace else {
            throw SystemError("write", path: Layout.thumbnail(of: day), code: ENOSPC)
        }
    }

    /// Makes the thumbnails of `days`, after earlier calls have finished.
    ///
    /// - Returns: The outcome of each day as soon as it is known; none for the days that remain when
    ///   no thumbnail can be made at all. Dropping the stream ends the work and the processes.
    package func thumbnails(of days: [Day]) -> AsyncStream<Thumbnail> {
        let (stream, continuation) = AsyncStream.makeStream(of: Thumbnail.self)
        let work = latestTask.withLock { latest in
            let earlier = latest
            let work = Task(executorPreference: ThreadPoolExecutor.shared) {
                defer { continuation.finish() }
                // Two tasks would write the same files, and a cancelled one takes a moment to end.
                await earlier?.value
                await make(days) { continuation.yield($0) }
            }
            latest = work
            return work
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    private func make(_ days: [Day], report: @escaping @Sendable (Thumbnail) -> Void) async {
        guard let first = days.first, !Task.isCancelled else { return }
        do throws(SystemError) {
            let folder = try store.tree.root.makeDirectory(Layout.thumbnails)
            if try folder.status(Self.marker) == nil {
                try store.publish([], in: folder, as: Self.marker)
            }
        } catch {
            return report(Thumbnail(day: first, result: .failure(.system(error))))
        }
        let queue = Monitor(Queue(days: days[...]))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(options.width, days.count) {
                group.addTask {
                    var process = process(options.limits)
                    while let day = queue.withLock({ $0.days.popFirst() }) {
                        let made = try? await decoding.withPermit { await make(day, &process) }
                        let thumbnail = made ?? Thumbnail(day: day, result: .failure(.cancelled))
                        report(thumbnail)
                        queue.withLock { $0.take(thumbnail) }
                    }
                }
            }
        }
        try? failedPictures.save()
    }

    /// The remaining days of one call.
    private struct Queue {
        var days: ArraySlice<Day>
        var crashes = 0

        /// After this many consecutive crashes the thumbnailer itself is broken.
        private static let maximumCrashes = 8

        mutating func take(_ thumbnail: Thumbnail) {
            switch thumbnail.result {
            case .failure(.crashed): crashes += 1
            case .failure(let failure) where failure.isAboutAll: days = []
            default: crashes = 0
            }
            if crashes == Self.maximumCrashes { days = [] }
        }
    }

    /// Returns a process that is not started yet.
    func process(_ limits: ThumbnailerLimits) -> ThumbnailerProcess {
        ThumbnailerProcess(
            program: options.program ?? "", limits: limits, timeout: options.timeout)
    }

    /// Makes one thumbnail with `process`, which is started if necessary.
    func make(_ day: Day, _ process: inout ThumbnailerProcess) async -> Thumbnail {
        do {
            let path = try await publish(day, &process)
            failedPictures.update { $0.forget(day) }
            return Thumbnail(day: day, result: .success(path))
        } catch {
            return Thumbnail(day: day, result: .failure(ThumbnailFailure(error)))
        }
    }

    private func publish(_ day: Day, _ process: inout ThumbnailerProcess) async throws -> String {
        guard options.program != nil else {
            throw ThumbnailFailure.unavailable(
                "apod-mirror-thumbnailer is not installed; reinstall apod-mirror")
        }
        guard let record = try store.record(of: day)?.picture else {
            throw ThumbnailFailure.noPicture("the day has no picture")
        }
        let path = Layout.thumbnail(of: day)
        // As the newest, it may have been made meanwhile: see ``makeNewest(in:)``.
        if originalSHA256(of: path) == record.sha256 { return path }
        try checkSpace(for: day)
        let picture = try open(record)
        do {
            // The process reports damaged files.
            let type = try? MediaHeader(reading: picture).type
            if let type, !Self.supportedTypes.contains(type) {
                throw ThumbnailFailure.unsupported(
                    "thumbnails of \(type.rawValue) are not supported")
            }
            let bytes = try await process.make(record.sha256, of: picture)
            try store.publish(bytes, of: day, at: path)
            return path
        } catch {
            try recordFailure(ThumbnailFailure(error), of: day, record, file: picture)
            throw error
        }
    }

    /// - Throws: ``ThumbnailFailure/noPicture(_:)`` unless the file has the recorded size.
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

    /// Records that `picture` is not retried, or when; nothing if every picture would fail.
    private func recordFailure(
        _ failure: ThumbnailFailure, of day: Day, _ picture: PictureRecord,
        file: borrowing FileDescriptor
    ) throws {
        guard !failure.isAboutAll else { return }
        let sha256 = picture.sha256
        // A damaged file may be repaired: only the recorded picture is rejected.
        let isDamaged =
            try failure.isFinal && file.sha256(path: picture.path, limit: picture.bytes) != sha256
        let reason = isDamaged ? "\(picture.path) does not match its record" : "\(failure)"
        failedPictures.update { failed in
            if failure.isFinal, !isDamaged {
                failed.reject(day, sha256, reason: reason)
            } else {
                failed.postpone(day, sha256, reason: reason, at: Date())
            }
        }
        // Save a crash before the next process is started.
        if case .crashed = failure { try failedPictures.save() }
    }

    // MARK: Verification

    /// What is wrong with the thumbnail of `picture`; `nil` if nothing is.
    package static func problem(
        of picture: PictureRecord, contents: [UInt8]
    ) -> VerifyFinding.Problem? {
        if ThumbnailFile.isThumbnail(contents, of: picture.sha256) { return nil }
        let original = ThumbnailFile.originalSHA256(in: contents) ?? picture.sha256
        let found =
            if contents.isEmpty {
                "an empty file"
            } else if original != picture.sha256 {
                "that of another picture"
            } else {
                "a damaged JPEG"
            }
        return .wrongContents(expected: "the thumbnail of the picture", found: found)
    }
}
