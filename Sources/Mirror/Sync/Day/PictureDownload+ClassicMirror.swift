internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of a picture that NASA has lost from a *classic mirror*: a site of another institution that has the web pages
/// of the days before NASA's move to a new site.
extension PictureDownload {
    /// Whether a classic mirror may have a better picture than `best`: NASA has lost the picture, or serves it only reduced.
    func mayBeElsewhere(
        betterThan best: PictureRecord?, problem problemAtNASA: DayProblem?
    ) -> Bool {
        guard entry.mediaType == "image", entry.media.video == nil else { return false }
        // If the network failed, NASA may still have the picture.
        if let problemAtNASA, problemAtNASA.cause.isTransient { return false }
        return best?.isReduced ?? true
    }

    /// Downloads the picture from the first classic mirror that has a better one than `best`; returns `nil` if none has.
    func downloadFromClassicMirrors(betterThan best: PictureRecord?) async throws -> Update? {
        for mirror in downloader.classicMirrors {
            do {
                if let better = try await download(from: mirror, betterThan: best) {
                    return better
                }
            } catch is DayProblem {
                // The next mirror is tried; after the last one, the day keeps the problem that NASA's addresses had.
            }
        }
        return nil
    }

    /// Downloads the picture from `mirror`; returns `nil` if it is not this picture, or has no more pixels than `best`.
    private func download(
        from mirror: ClassicMirror, betterThan best: PictureRecord?
    ) async throws -> Update? {
        let address = mirror.webPage(of: entry.day).text
        let page = try await webPage(at: address)
        let earlierURLs = [earlier?.entry.url, earlier?.entry.hdurl].compactMap(\.self)
        guard let offer = mirror.offer(for: entry, on: page, earlierURLs: earlierURLs)
        else { return nil }
        let fileDownload = FileDownload(
            downloader: downloader, kind: .picture, address: offer.address.url, source: "mirror")
        guard let download = try await fileDownload.run() else { return nil }
        var picture = PictureRecord(download.response, download.header, at: offer.address)
        // If the file names do not match, only the size that NASA announces shows that it is the same picture.
        let isExpected =
            !offer.mustHaveAnnouncedSize || picture.size.isAsAnnounced(at: offer.address)
        // mutation test: mirror-size (see Tests/Mutants)
        guard !picture.isReduced, isExpected, picture.pixelCount > best?.pixelCount ?? 0
        else { return nil }
        picture.mirror = address
        picture.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return Update(record: picture, file: download.file)
    }

    /// Requests a web page of a classic mirror; returns its HTML.
    private func webPage(at address: String) async throws -> [UInt8] {
        do throws(TransferError) {
            return try await downloader.hostFailures.request(address, for: entry.day) {
                () async throws(TransferError) in
                // Set here, because no request is sent to a host that has failed too often.
                downloader.outcome.withLock { $0.mirrorsRequested = true }
                return try await downloader.synchronizer.client.get(
                    address, as: .webPage, limit: TextLimit.article)
            }.body
        } catch {
            throw try DayProblem(error, of: address)
        }
    }
}
