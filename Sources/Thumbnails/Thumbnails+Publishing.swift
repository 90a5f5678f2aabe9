internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import ThumbnailProtocol

/// How the JPEGs of ``make(_:report:)`` are published, and how up-to-date ones are recognized.
extension Thumbnails {
    /// The JPEG of a picture, which is to be published.
    struct DecodedJPEG: Sendable {
        let pictureSHA256: String
        /// The modification time of the picture, which the JPEG gets, too.
        let modified: Int
        let bytes: [UInt8]
    }

    /// An empty file that hides the thumbnails from photo apps on phones.
    private static let noMediaMarker = "\(Layout.thumbnails)/.nomedia"

    /// Publishes `jpeg` as the file of `job`, unless an item of a person is at its path.
    func publish(
        _ jpeg: DecodedJPEG, for job: JPEGJob, in viewFiles: ViewFiles
    ) -> Result<Void, ThumbnailFailure> {
        do {
            try write(jpeg, for: job, in: viewFiles)
            failedPictures.forget(job.path)
            return .success(())
        } catch {
            return .failure(recordFailure(error, of: job.path, from: jpeg.pictureSHA256))
        }
    }

    /// Writes `jpeg`; with a thumbnail, writes the marker, too, if it is missing.
    private func write(_ jpeg: DecodedJPEG, for job: JPEGJob, in viewFiles: ViewFiles) throws {
        let root = store.tree.root
        var files = [
            ViewFiles.File(path: job.path, bytes: jpeg.bytes, modified: jpeg.modified)
        ]
        if job.isThumbnail, try root.status(Self.noMediaMarker) == nil {
            files.append(ViewFiles.File(path: Self.noMediaMarker, bytes: []))
        }
        let made = try viewFiles.publish(files)
        if let error = made.unreadable.first ?? made.failures.first { throw error }
        if let path = made.obstructed.first {
            throw ThumbnailFailure.obstructed(
                sentence: ViewFiles.obstruction(by: path, in: root))
        }
    }

    /// Whether the file of `job` is there, is whole, and was made from this picture.
    func isCurrent(_ job: JPEGJob, of picture: PictureRecord) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let root = store.tree.root
            guard let bytes = try root.read(job.path, limit: options.limits.outputSize) else {
                return false
            }
            return ThumbnailFile.isThumbnail(bytes, of: picture.sha256)
        } catch  where error.cause == .invalid {
            return false
        }
    }

    /// If somebody changed the time of an up-to-date file, sets it to `modified`, the time of its picture.
    ///
    /// With another time, the file would be read again in each round. A file that a person has edited keeps its time, which
    /// shows that it is the person's.
    func restoreTime(of job: JPEGJob, _ modified: Int) throws(SystemError) {
        guard try store.tree.root.status(job.path)?.modified != modified,
            try ViewFiles(of: job.view, in: store).owns(job.path)
        else { return }
        // An error is ignored, because only the owner of a file may set its time.
        try? setTime(modified, of: job.path)
        store.snapshots.recordChange(of: job.day)
    }

    private func setTime(_ modified: Int, of path: String) throws(SystemError) {
        if try store.keepsTimes() {
            try store.tree.root.setModified(modified, of: path)
        } else {
            // On this disk, a time that is later than that of the picture does as well.
            try store.tree.root.setModifiedNow(of: path)
        }
    }
}
