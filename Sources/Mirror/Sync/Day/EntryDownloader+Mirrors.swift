internal import APOD
internal import Platform
internal import Transfer

/// A picture that NASA lost, or has only as a reduced copy: from the page of that day on a classic mirror.
extension EntryDownloader {
    /// Returns `found`, which is what NASA has, or a better picture of the first mirror that has one.
    ///
    /// `current` is the intact picture in the tree.
    func replacedFromMirror(
        _ found: Found<PictureRecord>, after earlier: DayRecord?, _ current: PictureRecord?
    ) async throws -> Found<PictureRecord> {
        let best = found.record ?? current
        // After a failure of the network NASA may have the picture nevertheless.
        guard entry.mediaType == "image", entry.media.video == nil,
            best?.isReduced ?? true, found.problem?.cause.isTransient != true
        else { return found }
        for mirror in mirrors {
            do {
                if let better = try await picture(on: mirror, after: earlier, than: best) {
                    return better
                }
            } catch is Problem {}
        }
        return found
    }

    /// Returns the picture on `mirror`; `nil` if it is not that of the entry, or not better than `other`.
    private func picture(
        on mirror: ClassicMirror, after earlier: DayRecord?, than other: PictureRecord?
    ) async throws -> Found<PictureRecord>? {
        let page = mirror.webPage(of: entry.day).text
        let urls = [earlier?.entry.url, earlier?.entry.hdurl].compactMap(\.self)
        guard let offer = mirror.offer(for: entry, on: try await body(of: page), earlier: urls),
            let (file, result, header) = try await download(
                offer.address.url, as: "\(entry.day).mirror.part", unless: nil),
            header.type.isPicture, let size = header.size
        else { return nil }
        var picture = PictureRecord(result, header, at: offer.address)
        // mutation test: mirror-size
        guard !picture.isReduced, picture.pixels > other?.pixels ?? 0,
            !offer.mustHaveSize || size.isSize(of: offer.address)
        else { return nil }
        picture.mirror = page
        picture.path = try store.freePath(
            of: entry, header.type, replacing: earlier?.picture?.path, isRecorded: earlier != nil)
        return Found(record: picture, file: file)
    }

    private func body(of page: String) async throws -> [UInt8] {
        do {
            try hosts.check(page)
            mirrorsRequested.withLock { $0 = true }
            let response = try await synchronizer.client.get(
                page, as: .webPage, limit: TextLimit.article)
            hosts.recordAnswer(from: page)
            return response.body
        } catch {
            hosts.record(error, of: page)
            throw try Problem(error, of: page)
        }
    }
}
