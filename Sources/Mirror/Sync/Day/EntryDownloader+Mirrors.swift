internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// A picture that NASA lost, or serves only reduced, smaller than the original: from a classic mirror of APOD.
///
/// A classic mirror is a site of another institution, named by a setting, that still has the web page of
/// each day from before NASA's move, with its picture.
extension EntryDownloader {
    /// Downloads the picture of the first classic mirror that has a better one than NASA and the tree.
    ///
    /// - Parameters:
    ///   - nasaUpdate: The result of the requests to NASA; without a record, `present` stays.
    ///   - present: The intact picture in the tree, which `earlier` records; `nil` if there is none.
    ///   - earlier: The record of the day before this sync.
    /// - Returns: `nasaUpdate` if no classic mirror has a better picture.
    /// - Throws: `CancellationError`, or an error of this machine.
    func updateFromClassicMirror(
        orElse nasaUpdate: FileUpdate<PictureRecord>, present: PictureRecord?,
        after earlier: DayRecord?
    ) async throws -> FileUpdate<PictureRecord> {
        let best = nasaUpdate.record ?? present
        // After a failure of the network, NASA may still have the picture.
        guard entry.mediaType == "image", entry.media.video == nil,
            best?.isReduced ?? true, nasaUpdate.problem?.cause.isTransient != true
        else { return nasaUpdate }
        for mirror in classicMirrors {
            do {
                if let better = try await update(from: mirror, ifBetterThan: best, after: earlier) {
                    return better
                }
            } catch is DayProblem {
                // The next mirror is tried; after the last one, the day keeps the problem of `nasaUpdate`.
            }
        }
        return nasaUpdate
    }

    /// Downloads the picture on `mirror`; `nil` if it is not that of the entry, or has no more pixels than `best`.
    private func update(
        from mirror: ClassicMirror, ifBetterThan best: PictureRecord?, after earlier: DayRecord?
    ) async throws -> FileUpdate<PictureRecord>? {
        let page = mirror.webPage(of: entry.day).text
        let urls = [earlier?.entry.url, earlier?.entry.hdurl].compactMap(\.self)
        guard let offer = mirror.offer(for: entry, on: try await body(of: page), earlierURLs: urls),
            let download = try await download(
                offer.address.url, as: UnfinishedDownloads.draft(of: entry.day, "mirror"),
                unless: nil)
        else { return nil }
        var picture = PictureRecord(download.response, download.header, at: offer.address)
        // Without a matching file name, only NASA's announced size shows that it is the same picture.
        let isExpected =
            !offer.mustHaveAnnouncedSize || picture.size.isAsAnnounced(at: offer.address)
        // mutation test: mirror-size
        guard !picture.isReduced, isExpected, picture.pixelCount > best?.pixelCount ?? 0
        else { return nil }
        picture.mirror = page
        picture.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return FileUpdate(record: picture, file: download.file)
    }

    private func body(of page: String) async throws -> [UInt8] {
        do throws(TransferError) {
            return try await request(page) { () async throws(TransferError) in
                // Set only when a request is sent: a host that failed too often gets none.
                progress.withLock { $0.mirrorsRequested = true }
                return try await synchronizer.client.get(
                    page, as: .webPage, limit: TextLimit.article)
            }.body
        } catch {
            throw try DayProblem(error, of: page)
        }
    }
}
