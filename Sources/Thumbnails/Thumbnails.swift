package import FoundationEssentials
internal import Glibc
internal import MediaFormat
package import Mirror
package import Platform
package import ThumbnailProtocol

/// Makes JPEGs of pictures, which a sandboxed process decodes.
///
/// - Thumbnails are in `gallery/thumbnails/`.
/// - Renditions are smaller copies of large pictures, for the gallery and `v1/`.
/// - A conversion is a copy of the newest picture for `latest.jpg`, if that picture is no JPEG.
///
/// `ThumbnailService` calls ``make(_:report:)`` for all thumbnails and renditions that are missing; the view of the newest
/// thumbnail calls ``makeNewest(in:)``.
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
    /// The places for decoded pictures in memory, each of at most `ThumbnailerLimits.file` bytes.
    ///
    /// While one picture is published, up to three wait: the decoder may be faster than the fsync(2) of the disk.
    let places = AsyncSemaphore(4)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        failedPictures = FailedPictures(of: store)
    }

    /// The snapshot of the tree, which changes when thumbnails are made.
    package var snapshots: SnapshotOwner { store.snapshots }
    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { options.program != nil }
    /// Whether there is free space for a thumbnail; `false` if that is unknown.
    package var hasSpace: Bool { (try? store.checkFreeSpace(for: Self.minimumSpace)) != nil }

    /// How long it takes until the first picture that failed since `start` is tried again: 0 to one day.
    package func retryDelay(since start: Date) -> Duration {
        guard let next = failedPictures.nextRetry(after: start) else {
            return RetryDelay.failedPicture
        }
        return .seconds(max(0, next.timeIntervalSinceNow))
    }

    /// The free space needed for a JPEG, in bytes.
    static let minimumSpace = 1 << 20

    /// Makes a process, which starts with its first picture; throws `.unavailable` if the thumbnailer is not installed.
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
    /// - Throws: `.rejected` only if the file is as recorded, because a damaged file may be repaired.
    func decode(
        _ picture: PictureRecord, from file: borrowing FileDescriptor,
        side: Int, with process: inout ThumbnailerProcess
    ) async throws(ThumbnailFailure) -> [UInt8] {
        do throws(ThumbnailFailure) {
            return try await process.make(of: file, sha256: picture.sha256, side: side)
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

    /// Opens the file of `picture`; throws `.noPicture` if it does not have the recorded size, or ``SystemError``.
    func open(_ picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.openToRead(picture.path)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                "\(picture.path) does not have the recorded size of \(picture.bytes) bytes")
        }
        return file
    }

    // MARK: Conversions

    /// The most pixels of a conversion in full size, which must fit into the memory of the thumbnailer.
    private static let maximumPixels = 24_000_000
    /// The long side of the conversion of a larger picture.
    private static let reducedSide = 3840

    /// Whether ``jpeg(of:)`` may be called: `picture` is of a type that is decoded, and no earlier failure forbids it now.
    package func canConvert(_ picture: PictureRecord, at now: Date = Date()) -> Bool {
        picture.type?.hasThumbnail == true
            && failedPictures.mayTry(Layout.latestPicture, of: picture.sha256, at: now)
    }

    /// When ``jpeg(of:)`` may be called again for `picture`; `nil` if it has not failed.
    package func conversionRetry(of picture: PictureRecord, after now: Date = Date()) -> Date? {
        failedPictures.retryTime(of: Layout.latestPicture, picture.sha256, at: now)
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
            throw failure(by: error, of: Layout.latestPicture, picture.sha256)
        }
    }

    /// The SHA-256 of its original that the JPEG `name` in `folder` stores; `nil` if this program did not make it, or if it
    /// cannot be read.
    ///
    /// It shows whether the JPEG is up to date; a person may have edited it since.
    package static func originalSHA256(storedIn name: String, in folder: Directory) -> String? {
        let bytes = try? folder.openFile(name, O_RDONLY).readStart(
            limit: ThumbnailFile.stampEnd, path: "")
        return bytes.flatMap(ThumbnailFile.originalSHA256)
    }
}
