internal import MediaFormat
internal import Mirror
internal import Platform
internal import Thumbnails

/// `latest.jpg` and `latest.json`: the newest picture, and the record of the newest day that has a picture or a video.
///
/// `latest.json` is published last: a program that waits for it finds `latest.jpg` and all earlier views up to date.
package struct LatestView: View {
    package static let title = "latest.jpg and latest.json"

    /// There are no settings for it.
    package init(_: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .latest)
        try await updatePicture(input, files, &outcome)
        try updateRecord(input, files, &outcome)
        return outcome
    }

    // MARK: latest.jpg

    /// The largest JPEG that is copied in place of a link: a view has the bytes of its file in memory.
    private static let largestCopy = 64 << 20

    /// A link to a JPEG, its copy where there are no links, or a file that was converted; without a picture it stays as
    /// it is.
    private func updatePicture(
        _ input: ViewInput, _ files: ViewFiles, _ outcome: inout ViewOutcome
    ) async throws {
        var records = input.newestRecords
        while let record = try records.next() {
            guard let picture = record.picture, try input.hasMedia(at: picture.path) else {
                continue
            }
            if picture.type == .jpeg,
                try linkOrCopy(picture, of: record, input, files, &outcome) == .settled
            {
                return
            }
            switch try await convert(picture, of: record, input, files, &outcome) {
            case .settled: return
            case .impossible: continue
            }
        }
    }

    private enum Conversion {
        /// `latest.jpg` shows the picture, or something of the user's is in its place.
        case settled
        /// The picture cannot be converted now; an older one is shown meanwhile.
        case impossible
    }

    /// Makes `latest.jpg` of a JPEG; impossible if it cannot be linked, and is too large for a copy.
    private func linkOrCopy(
        _ picture: PictureRecord, of record: DayRecord, _ input: ViewInput, _ files: ViewFiles,
        _ outcome: inout ViewOutcome
    ) throws -> Conversion {
        let path = Layout.latestPicture
        var inputs = InputDigest()
        inputs.add(picture.sha256)
        if try files.isCurrent(path, from: inputs) { return .settled }
        let link = try files.publish([ViewFiles.File(path: path, linkTo: picture.path)])
        // A file in its place may be a copy that no table has, such as that of a backup: it is compared with the picture.
        let mayBeCopy =
            try !link.obstructed.isEmpty
            && input.root.status(path).map { $0.kind == .file && $0.size <= picture.bytes } == true
        guard !link.unlinked.isEmpty || mayBeCopy else {
            outcome.add(link, in: input.root)
            return .settled
        }
        // No hard link: a program that edits the copy would change the picture.
        guard let bytes = try ifValid(input.root.read(picture.path, limit: Self.largestCopy))
        else { return .impossible }
        // Its time says which day it shows, as of a converted one.
        let copy = ViewFiles.File(
            path: path, bytes: bytes, modified: record.fileTime, inputs: inputs)
        outcome.add(try files.publish([copy]), in: input.root)
        return .settled
    }

    /// Makes `latest.jpg` of a picture that is no JPEG, or of a JPEG that is too large for a copy.
    private func convert(
        _ picture: PictureRecord, of record: DayRecord, _ input: ViewInput, _ files: ViewFiles,
        _ outcome: inout ViewOutcome
    ) async throws -> Conversion {
        let path = Layout.latestPicture
        let isOfPicture =
            Thumbnails.originalSHA256(storedIn: path, in: input.root) == picture.sha256
        if isOfPicture, try files.owns(path) { return .settled }
        // One that was cut short may be replaced by the whole one, once that is made.
        guard try isOfPicture || files.mayWrite(path) else {
            outcome.addObstruction(by: path, in: input.root)
            return .settled
        }
        guard let thumbnails = input.thumbnails else { return .impossible }
        // If it failed, now or before: then nothing else may cause the next attempt.
        defer { outcome.requestUpdate(at: thumbnails.conversionRetry(of: picture)) }
        guard thumbnails.canConvert(picture) else { return .impossible }
        // Not after the conversion alone: it would be repeated as long as the disk is full.
        try input.store.checkFreeSpace()
        let bytes: [UInt8]
        do throws(ThumbnailFailure) {
            bytes = try await thumbnails.jpeg(of: picture)
        } catch {
            if error == .cancelled { throw CancellationError() }
            outcome.problems.append("cannot convert \(picture.path) to a JPEG: \(error)")
            return .impossible
        }
        // Its modification time says which day it shows, as the name does for a link: see Tree.latestPictureDay.
        let file = ViewFiles.File(path: path, bytes: bytes, modified: record.fileTime)
        outcome.add(try files.publish([file]), in: input.root)
        return .settled
    }

    // MARK: latest.json

    private func updateRecord(
        _ input: ViewInput, _ files: ViewFiles, _ outcome: inout ViewOutcome
    ) throws {
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
