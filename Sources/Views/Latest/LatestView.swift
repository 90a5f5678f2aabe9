internal import APOD
internal import Glibc
package import Mirror
internal import Platform
internal import Thumbnails

/// `latest.jpg` and `latest.json`: the newest picture, and the record of the newest day that has a picture or a video.
///
/// `latest.json` is published last: a program that waits for it finds the others up to date.
package struct LatestView: View {
    package static let title = "latest.jpg and latest.json"
    package static let ownedPaths = [OwnedPath.latestPicture, .latestRecord]

    /// The SHA-256 of pictures that could not be converted; tried again by the next process.
    private let unconvertible = Monitor(Set<String>())

    package init(_ settings: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        outcome += try await updatePicture(input)
        try updateRecord(input, &outcome)
        return outcome
    }

    // MARK: latest.json

    private func updateRecord(_ input: ViewInput, _ outcome: inout ViewOutcome) throws {
        var records = input.newestRecords
        while let record = try records.next() {
            let paths = [record.picture?.path, record.video?.path]
            guard try paths.contains(where: { try input.exists($0) }) else { continue }
            if let bytes = try input.root.read(Layout.recordPath(of: record.entry.day)) {
                try input.publish(bytes, as: .latestRecord, &outcome)
            }
            return
        }
    }

    // MARK: latest.jpg

    private func updatePicture(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        var records = input.newestRecords
        while let record = try records.next() {
            guard let picture = record.picture, try input.exists(picture.path) else { continue }
            if picture.type == MediaType.jpeg.rawValue {
                try link(to: picture.path, input, &outcome)
                break
            }
            if try await convert(picture, of: record.entry.day, input, &outcome) { break }
        }
        return outcome
    }

    private func link(
        to path: String, _ input: ViewInput, _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        let (root, owned) = (input.root, OwnedPath.latestPicture)
        guard root.target(of: owned.path) != path, try input.isFree(owned, &outcome) else { return }
        let isMade = try AtomicFile.publishLink(
            to: path, in: root, as: owned.path, through: try root.makeDirectory(Layout.incoming))
        if isMade { outcome.written.append(owned.path) }
    }

    /// - Returns: `false` if the picture cannot be converted: an older one is tried.
    private func convert(
        _ picture: PictureRecord, of day: Day, _ input: ViewInput, _ outcome: inout ViewOutcome
    ) async throws -> Bool {
        let (root, owned) = (input.root, OwnedPath.latestPicture)
        if Thumbnails.originalSHA256(of: owned.path, in: root) == picture.sha256,
            try owned.isWhole(root)
        {
            return true
        }
        guard let thumbnails = input.thumbnails, Thumbnails.isSupported(picture),
            !unconvertible.withLock({ $0.contains(picture.sha256) })
        else { return false }
        guard try input.isFree(owned, &outcome) else { return true }
        let bytes: [UInt8]
        do {
            bytes = try await thumbnails.jpeg(of: picture)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            unconvertible.withLock { _ = $0.insert(picture.sha256) }
            outcome.problems.append("cannot convert \(picture.path) to a JPEG: \(error)")
            return false
        }
        try input.store.checkFreeSpace(for: bytes.count + 1, at: "\(root.path)/\(owned.path)")
        // Its time identifies the day, as the name does for a link.
        try input.store.publish(bytes, of: day, at: owned.path)
        outcome.written.append(owned.path)
        return true
    }
}
