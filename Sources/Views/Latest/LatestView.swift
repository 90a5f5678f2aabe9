internal import APOD
internal import MediaFormat
package import Mirror
internal import Platform
internal import Thumbnails

/// `latest.jpg` and `latest.json`: the newest picture, and the record of the newest day that has a picture or a video.
///
/// `latest.json` is published last: a program that waits for it finds `latest.jpg` and all earlier views up to date.
package struct LatestView: View {
    package static let title = "latest.jpg and latest.json"
    package static let ownedPaths = [OwnedPath.latestPicture, .latestRecord]

    /// There are no settings for it.
    package init(_: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        try await updatePicture(input, &outcome)
        try updateRecord(input, &outcome)
        return outcome
    }

    // MARK: latest.jpg

    /// A link to a JPEG, or a file that was converted; without a picture it stays as it is.
    private func updatePicture(_ input: ViewInput, _ outcome: inout ViewOutcome) async throws {
        var records = input.records
        while let record = try records.next() {
            guard let picture = record.picture, try input.hasMedia(at: picture.path) else {
                continue
            }
            if picture.type == MediaType.jpeg.rawValue {
                return try link(to: picture.path, input, &outcome)
            }
            if try await convert(picture, of: record.entry.day, input, &outcome) { return }
        }
    }

    private func link(
        to path: String, _ input: ViewInput, _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        let (root, owned) = (input.root, OwnedPath.latestPicture)
        guard root.target(of: owned.path) != path,
            try input.mayWrite(owned, reportingTo: &outcome)
        else { return }
        let isMade = try AtomicFile.publishLink(
            to: path, in: root, as: owned.path, through: try root.makeDirectory(Layout.incoming))
        if isMade { outcome.changedPaths.append(owned.path) }
    }

    /// Makes `latest.jpg` of a picture that is no JPEG; returns false if an older picture must be tried.
    private func convert(
        _ picture: PictureRecord, of day: Day, _ input: ViewInput, _ outcome: inout ViewOutcome
    ) async throws -> Bool {
        let (root, owned) = (input.root, OwnedPath.latestPicture)
        if Thumbnails.originalSHA256(storedIn: owned.path, in: root) == picture.sha256,
            try owned.isWhole(root)
        {
            return true
        }
        guard let thumbnails = input.thumbnails else { return false }
        guard thumbnails.canConvert(picture) else {
            outcome.requestUpdate(at: thumbnails.conversionRetry(of: picture))
            return false
        }
        guard try input.mayWrite(owned, reportingTo: &outcome) else { return true }
        // Not after the conversion alone: it would be repeated as long as the disk is full.
        try input.store.checkFreeSpace()
        let bytes: [UInt8]
        do throws(ThumbnailFailure) {
            bytes = try await thumbnails.jpeg(of: picture)
        } catch {
            if error == .cancelled { throw CancellationError() }
            outcome.problems.append("cannot convert \(picture.path) to a JPEG: \(error)")
            outcome.requestUpdate(at: thumbnails.conversionRetry(of: picture))
            return false
        }
        try input.store.checkFreeSpace(forFileOf: bytes.count, at: "\(root.path)/\(owned.path)")
        // Its modification time says which day it shows, as the name does for a link: see Tree.latestPictureDay.
        try input.store.publishDayFile(bytes, of: day, at: owned.path)
        outcome.changedPaths.append(owned.path)
        return true
    }

    // MARK: latest.json

    private func updateRecord(_ input: ViewInput, _ outcome: inout ViewOutcome) throws {
        var records = input.records
        while let record = try records.next() {
            let paths = [record.picture?.path, record.video?.path]
            guard try paths.contains(where: { try input.hasMedia(at: $0) }) else { continue }
            // If the record was removed a moment ago, the next update finds another one.
            if let bytes = try input.root.read(Layout.recordPath(of: record.entry.day)) {
                try input.publish(bytes, as: .latestRecord, reportingTo: &outcome)
            }
            return
        }
    }
}
