package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import ThumbnailProtocol

/// Makes three kinds of JPEGs from pictures, which the thumbnailer, a sandboxed process, decodes.
///
/// - A thumbnail, in `gallery/thumbnails/`, is a small picture for overviews.
/// - A rendition, in `gallery/newest/`, is a smaller copy of a large new picture, for the gallery and `v1/`.
/// - A conversion is `latest.jpg`, if the newest picture is no JPEG.
///
/// This file has what all three need. `ThumbnailService` makes thumbnails and renditions by ``make(_:report:)``, and
/// `LatestPictureView` makes the conversion by ``convert(_:)``. A picture that fails is tried again later: see ``FailedPictures``.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The path of the thumbnailer; `nil` if it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.defaults
        /// The maximum time of each of two attempts at one picture.
        package var timeout = Duration.seconds(90)

        package init() {}
    }

    /// The free space needed for a JPEG, in bytes.
    static let minimumSpace = 1 << 20

    let store: Store
    let failedPictures: FailedPictures
    let options: Options
    /// Only one picture is decoded at a time, because two would exceed the memory limit of the systemd unit.
    private let decodingSlot = AsyncSemaphore(1)
    /// Limits the JPEGs in memory, each of which has at most `ThumbnailerLimits.outputSize` bytes.
    ///
    /// While one JPEG is published, up to three wait: the decoder may be faster than the fsync(2) of the disk.
    let slotsForDecodedJPEGs = AsyncSemaphore(4)

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
    package var hasSpace: Bool {
        do {
            try store.checkFreeSpace(for: Self.minimumSpace)
            return true
        } catch {
            return false
        }
    }

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

    /// Makes a process, which starts when it gets its first picture; throws if the thumbnailer is not installed.
    func makeProcess(
        _ limits: ThumbnailerLimits
    ) throws(ThumbnailFailure) -> ThumbnailerProcess {
        guard let program = options.program else {
            throw .unavailable(
                reason: "apod-mirror-thumbnailer is not installed; reinstall apod-mirror")
        }
        return ThumbnailerProcess(program: program, limits: limits, timeout: options.timeout)
    }

    /// Makes a JPEG of `picture`, whose open file is `file`; its longer side has at most `side` pixels.
    ///
    /// - Throws: ``ThumbnailFailure``, ``SystemError``, or `CancellationError`.
    func makeJPEG(
        of picture: PictureRecord, from file: borrowing FileDescriptor,
        side: Int, with process: inout ThumbnailerProcess
    ) async throws -> [UInt8] {
        let permit = try await decodingSlot.waitForPermit()
        defer { permit.release() }
        do throws(ThumbnailFailure) {
            return try await process.makeJPEG(of: file, sha256: picture.sha256, side: side)
        } catch {
            // A damaged file is no reason to reject the picture: it may be repaired.
            if error.isCausedByPicture { try checkContents(of: file, match: picture) }
            throw error
        }
    }

    /// Throws `.notDecoded` if the open `file` does not have the contents that the record of `picture` says.
    private func checkContents(
        of file: borrowing FileDescriptor, match picture: PictureRecord
    ) throws {
        let sha256 = try file.sha256(path: picture.path, limit: picture.bytes)
        guard sha256 == picture.sha256 else {
            throw ThumbnailFailure.notDecoded(reason: "\(picture.path) does not match its record")
        }
    }

    /// Opens the file of `picture`; throws `.noPicture` unless it is a regular file of the recorded size.
    func openFile(of picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.openToRead(picture.path)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                sentence:
                    "\(picture.path) does not have the recorded size of \(picture.bytes) bytes")
        }
        return file
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
