package import FoundationEssentials
package import Mirror
internal import Platform
package import ThumbnailProtocol

/// Makes smaller JPEGs of pictures: the thumbnails of a mirror in `gallery/thumbnails/`; renditions, the copies of large
/// pictures for the gallery and `v1/`; and conversions, the newest picture for `latest.jpg` if it is no JPEG.
///
/// Pictures are decoded in a sandboxed process, see ``ThumbnailerLimits``. `ThumbnailService` calls ``make(_:report:)``
/// for all that are missing; the view of the newest thumbnail calls ``makeNewest(in:)``.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The path of the thumbnailer; `nil` if it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.defaults
        /// The maximum time for one picture, of each of two attempts.
        package var timeout = Duration.seconds(90)

        package init() {}
    }

    let store: Store
    let failedPictures: FailedPictures
    let options: Options
    /// One picture is decoded at a time: two would exceed the memory limit of the systemd unit.
    let decoding = AsyncSemaphore(1)
    /// Places for decoded pictures, each of at most `ThumbnailerLimits.file` bytes.
    ///
    /// One is published, the others wait for that: the decoder is faster than a disk with a slow fsync(2).
    let places = AsyncSemaphore(4)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        failedPictures = FailedPictures(of: store)
    }

    /// What the tree holds now; the thumbnails that are made change it.
    package var snapshots: SnapshotOwner { store.snapshots }
    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { options.program != nil }
    /// Whether there is free space for a thumbnail; `false` if that is unknown.
    package var hasSpace: Bool { (try? store.checkFreeSpace(for: Self.minimumSpace)) != nil }

    /// The time until the first picture is tried again that failed in a round since `start`, a day at most; none if that
    /// time has passed.
    package func retryDelay(since start: Date) -> Duration {
        guard let next = failedPictures.nextRetry(after: start) else {
            return RetryDelay.failedPicture
        }
        return .seconds(max(0, next.timeIntervalSinceNow))
    }

    /// The free space needed for a JPEG, in bytes.
    static let minimumSpace = 1 << 20

    /// Returns a process that is not started yet; throws `.unavailable` if the thumbnailer is not installed.
    func makeProcess(
        _ limits: ThumbnailerLimits
    ) throws(ThumbnailFailure) -> ThumbnailerProcess {
        guard let program = options.program else {
            throw .unavailable("apod-mirror-thumbnailer is not installed; reinstall apod-mirror")
        }
        return ThumbnailerProcess(program: program, limits: limits, timeout: options.timeout)
    }

    /// Makes a JPEG of `picture`, whose open file is `file`, for a thumbnail, rendition or conversion.
    ///
    /// - Throws: A failure that rejects the picture only if `file` is as recorded: a damaged file may be repaired.
    func decode(
        _ picture: PictureRecord, from file: borrowing FileDescriptor,
        side: Int, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> [UInt8] {
        do throws(ThumbnailFailure) {
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
}
