internal import MediaFormat
internal import Mirror
internal import Platform
internal import Thumbnails

/// `latest.jpg` and `latest.json`: the newest picture, and the record of the newest day that has a picture or a video.
///
/// `latest.json` is published last, so that a program that waits for it finds `latest.jpg` and all earlier views up to date.
package struct LatestView: View {
    package static let title = "latest.jpg and latest.json"

    /// There are no settings for it.
    package init(_: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var update = LatestUpdate(input: input, files: input.files(of: .latest))
        try await update.updatePicture()
        try update.updateRecord()
        return update.outcome
    }
}

/// One update of ``LatestView``.
private struct LatestUpdate {
    /// The largest JPEG that is copied where there are no links, because a view has the bytes of its file in memory.
    private static let largestCopy = 64 << 20

    let input: ViewInput
    let files: ViewFiles
    private(set) var outcome = ViewOutcome()

    // MARK: latest.jpg

    private enum Attempt {
        /// `latest.jpg` shows the picture, or an item of the user is in its place.
        case settled
        /// The picture cannot be shown now. An older one is shown meanwhile.
        case impossible
    }

    /// Makes `latest.jpg` of the newest picture that can be shown; without such a picture, the file stays as it is.
    mutating func updatePicture() async throws {
        var records = input.newestRecords
        while let record = try records.next() {
            guard let picture = record.picture, try input.hasMedia(at: picture.path) else {
                continue
            }
            if picture.type == .jpeg, try linkOrCopy(picture, of: record) == .settled { return }
            if try await convert(picture, of: record) == .settled { return }
        }
    }

    /// Links to a JPEG, or copies it where there are no links.
    private mutating func linkOrCopy(
        _ picture: PictureRecord, of record: DayRecord
    ) throws -> Attempt {
        let path = Layout.latestPicture
        var inputs = InputDigest()
        inputs.add(picture.sha256)
        if try files.isCurrent(path, from: inputs) { return .settled }
        let link = try files.publish([ViewFiles.File(path: path, linkTo: picture.path)])
        // A file in its place may be a copy that no table has, such as one from a backup. It is compared with the picture.
        let mayBeCopy =
            try !link.obstructed.isEmpty
            && input.root.status(path).map { $0.kind == .file && $0.size <= picture.bytes } == true
        guard !link.unlinked.isEmpty || mayBeCopy else {
            outcome.add(link, in: input.root)
            return .settled
        }
        // No hard link, because a program that edits the copy would change the picture.
        guard let bytes = try ifValid(input.root.read(picture.path, limit: Self.largestCopy))
        else { return .impossible }
        try publish(bytes, of: record, from: inputs)
        return .settled
    }

    /// Converts a picture that is no JPEG, or a JPEG that is too large for a copy.
    private mutating func convert(
        _ picture: PictureRecord, of record: DayRecord
    ) async throws -> Attempt {
        let path = Layout.latestPicture
        let isOfPicture =
            Thumbnails.originalSHA256(storedIn: path, in: input.root) == picture.sha256
        if isOfPicture, try files.owns(path) { return .settled }
        // A file of this picture that was cut short may be replaced.
        guard try isOfPicture || files.mayWrite(path) else {
            outcome.addObstruction(by: path, in: input.root)
            return .settled
        }
        guard let thumbnails = input.thumbnails else { return .impossible }
        // After a failure, now or before, nothing else may cause the next attempt.
        defer { outcome.requestUpdate(at: thumbnails.conversionRetry(of: picture)) }
        guard thumbnails.canConvert(picture) else { return .impossible }
        // Before the conversion, which would be repeated as long as the disk is full.
        try input.store.checkFreeSpace()
        let bytes: [UInt8]
        do throws(ThumbnailFailure) {
            bytes = try await thumbnails.jpeg(of: picture)
        } catch {
            if error == .cancelled { throw CancellationError() }
            outcome.problems.append("cannot convert \(picture.path) to a JPEG: \(error)")
            return .impossible
        }
        try publish(bytes, of: record)
        return .settled
    }

    /// Publishes a copy or a converted picture.
    private mutating func publish(
        _ bytes: [UInt8], of record: DayRecord, from inputs: InputDigest? = nil
    ) throws {
        // The modification time says which day it shows, as the name of the target does for a link.
        let file = ViewFiles.File(
            path: Layout.latestPicture, bytes: bytes, modified: record.fileTime, inputs: inputs)
        outcome.add(try files.publish([file]), in: input.root)
    }

    // MARK: latest.json

    mutating func updateRecord() throws {
        var records = input.newestRecords
        while let record = try records.next() {
            let paths = [record.picture?.path, record.video?.path]
            guard try paths.contains(where: { try input.hasMedia(at: $0) }) else { continue }
            // If the record was removed a moment ago, the next update finds another one.
            if let bytes = try input.root.read(Layout.recordPath(of: record.entry.day)) {
                let file = ViewFiles.File(path: Layout.latestRecord, bytes: bytes)
                outcome.add(try files.publish([file]), in: input.root)
            }
            return
        }
    }
}
