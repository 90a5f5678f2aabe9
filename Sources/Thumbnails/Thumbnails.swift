package import FoundationEssentials
internal import Glibc
internal import MediaFormat
package import Mirror
package import Platform
package import ThumbnailProtocol

/// Makes three kinds of JPEGs from pictures, which a sandboxed process decodes.
///
/// - A thumbnail, in `gallery/thumbnails/`, is a small picture for overviews.
/// - A rendition, in `gallery/newest/`, is a smaller copy of a large new picture, for the gallery and `v1/`.
/// - A conversion is `latest.jpg`, if the newest picture is no JPEG.
///
/// `ThumbnailService` makes missing thumbnails and renditions by ``make(_:report:)``, and `ThumbnailsView` the thumbnail of the
/// newest picture by ``makeNewest(in:)``.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The path of the thumbnailer; `nil` if it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.defaults
        /// The maximum time of each of two attempts at one picture.
        package var timeout = Duration.seconds(90)

        package init() {}
    }

    let store: Store
    let failedPictures: FailedPictures
    let options: Options
    /// Only one picture is decoded at a time, because two would exceed the memory limit of the systemd unit.
    let decoding = AsyncSemaphore(1)
    /// Limits the decoded pictures in memory, each of which has at most `ThumbnailerLimits.file` bytes.
    ///
    /// While one picture is published, up to three wait: the decoder may be faster than the fsync(2) of the disk.
    let decodedPictures = AsyncSemaphore(4)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        failedPictures = FailedPictures(of: store)
    }

    /// The snapshot of the tree, which changes when thumbnails are made.
    package var snapshots: SnapshotOwner { store.snapshots }
    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { options.program != nil }
    /// Whether there is free space for a thumbnail; `false` if the disk cannot tell.
    package var hasSpace: Bool { (try? store.checkFreeSpace(for: Self.minimumSpace)) != nil }

    /// The time until the first picture that has failed since `start` is tried again: 0 to one day.
    package func retryDelay(since start: Date) -> Duration {
        guard let next = failedPictures.nextRetry(after: start) else {
            return RetryDelay.failedPicture
        }
        return .seconds(max(0, next.timeIntervalSinceNow))
    }

    /// Whether a thumbnail or a rendition could not be read or written, and waits for the next attempt.
    package var hasDiskErrors: Bool { failedPictures.hasDiskErrors }

    /// Lets the next round try again what could not be read or written, because a person may have corrected that.
    package func forgetDiskErrors() { failedPictures.forgetDiskErrors() }

    /// The free space needed for a JPEG, in bytes.
    static let minimumSpace = 1 << 20

    /// Makes a process, which starts when it gets its first picture; throws if the thumbnailer is not installed.
    func makeProcess(
        _ limits: ThumbnailerLimits
    ) throws(ThumbnailFailure) -> ThumbnailerProcess {
        guard let program = options.program else {
            throw .unavailable("apod-mirror-thumbnailer is not installed; reinstall apod-mirror")
        }
        return ThumbnailerProcess(program: program, limits: limits, timeout: options.timeout)
    }

    /// Makes a JPEG of `picture`, whose open file is `file`.
    ///
    /// - Throws: ``ThumbnailFailure``; `.rejected` only if the file has the recorded SHA-256: a damaged file may be repaired.
    func decode(
        _ picture: PictureRecord, from file: borrowing FileDescriptor,
        side: Int, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> [UInt8] {
        do throws(ThumbnailFailure) {
            return try await process.makeJPEG(of: file, sha256: picture.sha256, side: side)
        } catch {
            guard error.rejectsPicture else { throw error }
            let sha256: String
            do throws(SystemError) {
                sha256 = try file.sha256(path: picture.path, limit: picture.bytes)
            } catch let readError {
                throw ThumbnailFailure(readError)
            }
            guard sha256 == picture.sha256 else {
                throw .failed("\(picture.path) does not match its record")
            }
            throw error
        }
    }

    /// Opens the file of `picture`; throws `.noPicture` if the file does not have the recorded size.
    func open(_ picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.openToRead(picture.path)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                "\(picture.path) does not have the recorded size of \(picture.bytes) bytes")
        }
        return file
    }

    /// The most pixels of a picture that is converted in full size: more do not fit into the memory of the thumbnailer.
    private static let maximumPixels = 24_000_000
    /// The long side, in pixels, of the conversion of a larger picture.
    private static let reducedSide = 3840

    /// Whether ``jpeg(of:)`` may be called: `picture` has a type that can be decoded, and has not failed a short time ago.
    package func canConvert(_ picture: PictureRecord, at now: Date = Date()) -> Bool {
        picture.type?.hasThumbnail == true
            && failedPictures.mayTry(Layout.latestPicture, from: picture.sha256, at: now)
    }

    /// When ``jpeg(of:)`` may be called again for `picture`; `nil` if it has not failed.
    package func conversionRetry(of picture: PictureRecord, after now: Date = Date()) -> Date? {
        failedPictures.retryTime(of: Layout.latestPicture, from: picture.sha256, at: now)
    }

    /// Converts `picture` to a JPEG for `latest.jpg`, in a process of its own, whose output may be larger.
    ///
    /// The JPEG has the size of the picture. If that is not recorded or has more than 24 megapixels, its long side has at
    /// most 3840 pixels.
    package func jpeg(of picture: PictureRecord) async throws(ThumbnailFailure) -> [UInt8] {
        let size = PixelSize(width: picture.width, height: picture.height)
        let isFull = 1...Self.maximumPixels ~= size.pixelCount
        let side = isFull ? size.longSide : Self.reducedSide
        do {
            var process = try makeProcess(options.limits.forFullSize)
            let file = try open(picture)
            let permit = try await decoding.permit()
            defer { permit.release() }
            let bytes = try await decode(picture, from: file, side: side, with: &process)
            failedPictures.forget(Layout.latestPicture)
            return bytes
        } catch {
            throw recordFailure(error, of: Layout.latestPicture, from: picture.sha256)
        }
    }

    /// The SHA-256 of the picture from which the JPEG `name` in `folder` was made: the JPEG has it in a comment.
    ///
    /// It is `nil` if this program did not make the JPEG, or if it cannot be read. A person may have edited the JPEG since.
    package static func originalSHA256(storedIn name: String, in folder: Directory) -> String? {
        let bytes = try? folder.openFile(name, O_RDONLY).readStart(
            limit: ThumbnailFile.stampEnd, path: "")
        return bytes.flatMap(ThumbnailFile.originalSHA256)
    }
}
