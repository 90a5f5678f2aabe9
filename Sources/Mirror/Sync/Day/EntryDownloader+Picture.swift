internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of the picture of an entry: from the first of NASA's addresses that works, else from a classic mirror.
///
/// The first address has the original. A later one has a lesser file, such as a smaller copy, which never replaces a picture
/// from a better address. The picture from a later address counts as reduced, unless NASA has lost all better ones. The marks
/// `mutation test: …` are for Tests/Mutants.
extension EntryDownloader {
    /// Finds or downloads the picture if it is missing, or if NASA may have a better one.
    func updatePicture(after earlier: DayRecord?) async throws -> FileUpdate<PictureRecord> {
        guard scope != .textOnly else { return .unchanged }
        if let earlier,
            try !earlier.needsPicture(
                of: entry, in: store.tree, permitsReplacement: scope == .all)
        {
            return .unchanged
        }
        // A person may have imported it by `apod-mirror adopt`, before NASA's entry was known.
        if earlier?.picture == nil,
            let (picture, file) = try store.adoptedPicture(
                of: entry, isKnownAsAdopted: isAdopted, after: earlier)
        {
            return FileUpdate(record: picture, file: file, problem: Self.problemIfReduced(picture))
        }
        let present = try presentPicture(earlier)
        let update = try await updateFromNASA(after: earlier, present)
        return try await updateFromClassicMirror(
            orElse: update, present: present, after: earlier)
    }

    /// The recorded picture if it is in the tree with its recorded size; `nil` if any picture of NASA is better than nothing.
    private func presentPicture(_ earlier: DayRecord?) throws -> PictureRecord? {
        guard let picture = earlier?.picture else { return nil }
        return try store.tree.hasFile(picture.file) ? picture : nil
    }

    // MARK: At NASA

    /// Tries the addresses, the best one first, until one answers with a picture.
    ///
    /// An address with a lesser picture than the one `present` in the tree is not tried.
    private func updateFromNASA(
        after earlier: DayRecord?, _ present: PictureRecord?
    ) async throws -> FileUpdate<PictureRecord> {
        let addresses = entry.media.pictures
        let last = present.map { rank(of: $0, in: earlier) } ?? addresses.count
        var failures: [DayProblem] = []
        // mutation test: lesser-address
        for (index, address) in addresses.enumerated() where index <= last {
            do {
                // A better address that failed counts only if NASA has something there.
                return try await updatePicture(
                    at: address, as: UnfinishedDownloads.draft(of: entry.day, "\(index)"),
                    after: earlier, present,
                    betterAddressFailed: failures.filter { !$0.isAbsence }.mostTelling)
            } catch var failure as DayProblem {
                // NASA names no picture, and has not made a still image of the video. So nothing is missing.
                if address.isRendition, failure.isAbsence { continue }
                // NASA has a film at this address, and so no picture that could be better.
                if address.isFilm, failure.cause == .unusable { failure.detail = .absence }
                failures.append(failure)
            }
        }
        return FileUpdate(problem: failures.mostTelling)
    }

    /// The position of the address of `picture` among those of the entry; their number if the address is not among them.
    private func rank(of picture: PictureRecord, in earlier: DayRecord?) -> Int {
        let addresses = entry.media.pictures
        if let index = addresses.firstIndex(where: { $0.url == picture.origin }) { return index }
        // If the tree has the original, and NASA moved it, only the first address may have something as good.
        return picture.origin == earlier?.entry.hdurl ? 0 : addresses.count
    }

    /// Downloads the picture at one address, unless it is the picture `present` in the tree and has not changed.
    ///
    /// `failure` is the problem of a better address that may work later. Because of it, this picture counts as reduced.
    private func updatePicture(
        at address: PictureAddress, as name: String, after earlier: DayRecord?,
        _ present: PictureRecord?, betterAddressFailed failure: DayProblem?
    ) async throws -> FileUpdate<PictureRecord> {
        let knownVersion = present?.origin == address.url ? present?.version : nil
        guard let download = try await download(address.url, as: name, unless: knownVersion)
        else {
            // NASA says that the picture in the tree has not changed.
            guard var picture = present else { return .unchanged }
            picture.keptInsteadOf = nil
            // It counts as reduced only as long as a better one may exist.
            if picture.isReduced {
                picture.isReduced = failure != nil || picture.size.isReduced(at: address)
            }
            return FileUpdate(record: picture, problem: failure ?? Self.problemIfReduced(picture))
        }
        var picture = PictureRecord(download.response, download.header, at: address)
        if failure != nil { picture.isReduced = true }
        if entry.route == .classic { picture.mirror = entry.permalink }
        var update = FileUpdate(
            record: picture, file: download.file,
            problem: failure ?? Self.problemIfReduced(picture))
        if let present,
            let kept = try updateThatKeeps(
                present, insteadOf: picture, at: address, downloadedBy: update)
        {
            return kept
        }
        update.record?.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return update
    }

    /// The update that keeps the picture `current` in the tree; `nil` if the downloaded picture `new` is to replace it.
    private func updateThatKeeps(
        _ current: PictureRecord, insteadOf new: PictureRecord, at address: PictureAddress,
        downloadedBy download: FileUpdate<PictureRecord>
    ) throws -> FileUpdate<PictureRecord>? {
        // mutation test: worse-picture
        if new.isWorse(than: current) { return FileUpdate(problem: download.problem) }
        if current.sha256 == new.sha256 {
            var sameContents = download
            sameContents.record?.path = current.path
            sameContents.file = nil
            return sameContents
        }
        // If NASA announces no size, only the number of pixels shows that the new picture is a smaller copy.
        // mutation test: announced-size
        guard !new.size.isAsAnnounced(at: address), new.isSmallCopy(of: current),
            !isOfAnotherDay(current)
        else { return nil }
        let reason =
            "NASA replaced the picture by a smaller copy (\(new.size)); the larger one is kept"
        var kept = current
        kept.keptInsteadOf = new.origin
        return FileUpdate(record: kept, problem: DayProblem(.reduced, reason))
    }

    /// Whether another day has the same picture from NASA, for example because NASA swapped the pictures of two days.
    ///
    /// A day that cannot be read does not count.
    private func isOfAnotherDay(_ picture: PictureRecord) -> Bool {
        guard let days = try? store.snapshots.current().days else { return false }
        return days.contains { files in
            guard files.day != entry.day,
                files.media.contains(where: { $0.stamp.size == picture.bytes }),
                let other = try? store.record(of: files.day)?.picture
            else { return false }
            return other.sha256 == picture.sha256 && !other.isFromElsewhere
                && other.keptInsteadOf == nil
        }
    }

    /// The problem of a picture with fewer pixels than NASA announces; `nil` for any other one, and for a still of a video.
    private static func problemIfReduced(_ picture: PictureRecord) -> DayProblem? {
        guard picture.isReduced, !PictureAddress(picture.origin).isRendition else { return nil }
        return DayProblem(.reduced, "NASA served a smaller copy than it announces")
    }

    // MARK: On classic mirrors

    /// Downloads a picture that NASA has lost or serves only reduced, from the first classic mirror that has a better one.
    ///
    /// A classic mirror is a site of another institution, with the web pages of the days before NASA's move. If no mirror has
    /// a better picture than `nasaUpdate` and the picture `present` in the tree, this returns `nasaUpdate`.
    private func updateFromClassicMirror(
        orElse nasaUpdate: FileUpdate<PictureRecord>, present: PictureRecord?,
        after earlier: DayRecord?
    ) async throws -> FileUpdate<PictureRecord> {
        let best = nasaUpdate.record ?? present
        // If the network failed, NASA may still have the picture.
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

    /// Downloads the picture from `mirror`; `nil` if it is not this picture, or has no more pixels than `best`.
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
        // If the file names do not match, only the size that NASA announces shows that it is the same picture.
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
                // Set here, because no request is sent to a host that has failed too often.
                progress.withLock { $0.mirrorsRequested = true }
                return try await synchronizer.client.get(
                    page, as: .webPage, limit: TextLimit.article)
            }.body
        } catch {
            throw try DayProblem(error, of: page)
        }
    }
}

extension [DayProblem] {
    /// The problem that is reported, and decides when to retry.
    ///
    /// It is a failure of the network, else the first problem of a file that NASA has. That NASA does not have a file says
    /// little, because the later addresses are guesses.
    fileprivate var mostTelling: Element? {
        first { $0.cause == .unreachable } ?? first { !$0.isAbsence } ?? first
    }
}
