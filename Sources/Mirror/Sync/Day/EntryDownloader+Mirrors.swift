internal import APOD
internal import Platform
internal import Transfer

/// A picture that NASA lost, or has only as a reduced copy: from a classic mirror of APOD.
///
/// A classic mirror is a site of another institution, named by a setting, that still has the web page of
/// each day from before NASA's move, with its picture.
extension EntryDownloader {
    /// The picture of the first classic mirror that has a better one; else `update`, which is what NASA has.
    ///
    /// `present` is the intact picture in the tree.
    func betterFromClassicMirror(
        than update: FileUpdate<PictureRecord>, _ present: PictureRecord?,
        after earlier: DayRecord?
    ) async throws -> FileUpdate<PictureRecord> {
        let best = update.record ?? present
        // After a failure of the network NASA may have the picture nevertheless.
        guard entry.mediaType == "image", entry.media.video == nil,
            best?.isReduced ?? true, update.problem?.cause.isTransient != true
        else { return update }
        for mirror in classicMirrors {
            do {
                if let better = try await picture(on: mirror, betterThan: best, after: earlier) {
                    return better
                }
            } catch is Problem {
                // The next mirror may answer; if none does, the day keeps the problem that NASA has.
            }
        }
        return update
    }

    /// Downloads the picture on `mirror`; `nil` if it is not that of the entry, or not better than `other`.
    private func picture(
        on mirror: ClassicMirror, betterThan other: PictureRecord?, after earlier: DayRecord?
    ) async throws -> FileUpdate<PictureRecord>? {
        let page = mirror.webPage(of: entry.day).text
        let urls = [earlier?.entry.url, earlier?.entry.hdurl].compactMap(\.self)
        guard let offer = mirror.offer(for: entry, on: try await body(of: page), earlierURLs: urls),
            let download = try await download(
                offer.address.url, as: "\(entry.day).mirror.part", unless: nil),
            download.header.type.isPicture
        else { return nil }
        var picture = PictureRecord(download.response, download.header, at: offer.address)
        // Without a matching file name, only NASA's announced size shows that it is the same picture.
        let isExpected = !offer.mustHaveSize || picture.size.isAsAnnounced(at: offer.address)
        // mutation test: mirror-size
        guard !picture.isReduced, isExpected, picture.pixelCount > other?.pixelCount ?? 0
        else { return nil }
        picture.mirror = page
        picture.path = try store.freePath(of: entry, download.header.type, after: earlier)
        return FileUpdate(record: picture, file: download.file)
    }

    private func body(of page: String) async throws -> [UInt8] {
        do throws(TransferError) {
            return try await request(page) { () async throws(TransferError) in
                // Not before: a host that failed too often gets no request.
                mirrorsRequested.withLock { $0 = true }
                return try await synchronizer.client.get(
                    page, as: .webPage, limit: TextLimit.article)
            }.body
        } catch {
            throw try Problem(error, of: page)
        }
    }
}
