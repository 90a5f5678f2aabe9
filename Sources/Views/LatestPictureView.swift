internal import MediaFormat
internal import Mirror
internal import Platform
internal import Thumbnails

/// `latest.jpg`: the newest picture.
package struct LatestPictureView: View {
    package static let title = "latest.jpg"
    package static let showsFavorites = false

    /// No setting concerns this view.
    package init(_: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var update = LatestPictureUpdate(input: input, files: input.files(of: .latest))
        try await update.run()
        return update.outcome
    }
}

/// One update of ``LatestPictureView``.
private struct LatestPictureUpdate {
    /// The largest JPEG, in bytes, that is copied on a disk without symbolic links: a copy is read into memory.
    private static let largestCopy = 64 << 20

    let input: ViewInput
    let files: ViewFiles
    private(set) var outcome = ViewOutcome()

    /// The result of trying to show one picture as `latest.jpg`.
    private enum Attempt {
        /// `latest.jpg` shows the picture, or an item of the user is in its place: no other picture is tried.
        case ended
        /// The picture cannot be shown now: an older picture is shown meanwhile.
        case impossible
    }

    /// Shows the newest possible picture as `latest.jpg`; if no picture is possible, the file stays as it is.
    mutating func run() async throws {
        var records = input.newestRecords
        while let record = try records.next() {
            guard let picture = record.picture, try input.hasMedia(at: picture.path) else {
                continue
            }
            if picture.type == .jpeg, try linkOrCopy(picture, of: record) == .ended { return }
            if try await convert(picture, of: record) == .ended { return }
        }
    }

    /// Makes a link to a JPEG, or on a disk without symbolic links, a copy of it.
    private mutating func linkOrCopy(
        _ picture: PictureRecord, of record: DayRecord
    ) throws -> Attempt {
        let path = Layout.latestPicture
        var inputs = InputDigest()
        inputs.add(picture.sha256)
        if try files.isCurrent(path, from: inputs) { return .ended }
        let link = try files.publish([ViewFiles.File(path: path, linkTo: picture.path)])
        let lacksLinks = !link.unlinked.isEmpty
        let isObstructed = !link.obstructed.isEmpty
        guard try lacksLinks || (isObstructed && mayBeCopy(of: picture)) else {
            outcome.add(link, in: input.root)
            return .ended
        }
        // A hard link would be dangerous: a program that edits it would change the picture in the mirror.
        guard let bytes = try ifValid(input.root.read(picture.path, limit: Self.largestCopy))
        else { return .impossible }
        try publish(bytes, of: record, from: inputs)
        return .ended
    }

    /// Whether the file in the way may be a copy that came back with a backup; publishing compares it with the picture.
    private func mayBeCopy(of picture: PictureRecord) throws(SystemError) -> Bool {
        guard let present = try input.root.status(Layout.latestPicture) else { return false }
        return present.kind == .file && present.size <= picture.bytes
    }

    /// Converts a picture that is no JPEG, or a JPEG that is too large for a copy, to a JPEG.
    private mutating func convert(
        _ picture: PictureRecord, of record: DayRecord
    ) async throws -> Attempt {
        let path = Layout.latestPicture
        let wasMadeOfPicture =
            Thumbnails.originalSHA256(storedIn: path, in: input.root) == picture.sha256
        if wasMadeOfPicture, try files.owns(path) { return .ended }
        // A file that was made of this picture, but was cut short, may be replaced.
        guard try wasMadeOfPicture || files.mayWrite(path) else {
            outcome.addObstruction(by: path, in: input.root)
            return .ended
        }
        guard let thumbnails = input.thumbnails else { return .impossible }
        // After a failure, the tree may not change before the next attempt is due.
        defer { outcome.requestUpdate(at: thumbnails.conversionRetry(of: picture)) }
        guard thumbnails.canConvert(picture) else { return .impossible }
        // Checked first: on a full disk, each update would convert the picture in vain.
        try input.store.checkFreeSpace()
        let bytes: [UInt8]
        do throws(ThumbnailFailure) {
            bytes = try await thumbnails.convert(picture)
        } catch {
            if error == .cancelled { throw CancellationError() }
            outcome.add(.failed("cannot convert \(picture.path) to a JPEG: \(error)"))
            return .impossible
        }
        try publish(bytes, of: record)
        return .ended
    }

    /// Publishes a copy or a converted picture as `latest.jpg`.
    private mutating func publish(
        _ bytes: [UInt8], of record: DayRecord, from inputs: InputDigest? = nil
    ) throws {
        // The modification time shows of which day the file is; the name of its target shows that of a link.
        let file = ViewFiles.File(
            path: Layout.latestPicture, bytes: bytes, modified: record.fileTime, inputs: inputs)
        outcome.add(try files.publish([file]), in: input.root)
    }
}
