internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The picture of an entry: from the first of NASA's addresses that works, else from a classic mirror.
///
/// The first address has the original. A later one has a lesser file, such as a rendering, which never replaces a
/// picture from a better address. It counts as reduced, and the day as partial, unless NASA has lost the better ones.
extension EntryDownloader {
    /// Finds or downloads the picture, if it is missing, or if NASA may have a better one.
    func updatePicture(after earlier: DayRecord?) async throws -> FileUpdate<PictureRecord> {
        guard scope != .textOnly else { return .unchanged }
        if let earlier,
            try !earlier.needsPicture(
                of: entry, in: store.tree, permitsReplacement: scope == .all)
        {
            return .unchanged
        }
        // A user may have given it to `apod-mirror adopt` before NASA's entry was known.
        if earlier?.picture == nil,
            let (picture, file) = try store.adoptedPicture(of: entry, after: earlier)
        {
            return FileUpdate(record: picture, file: file, problem: Self.problemIfReduced(picture))
        }
        let present = try presentPicture(earlier)
        let update = try await updateFromNASA(after: earlier, present)
        return try await updateFromClassicMirror(
            orElse: update, present: present, after: earlier)
    }

    /// The recorded picture if it is in the tree in its size; otherwise anything that NASA serves replaces it.
    private func presentPicture(_ earlier: DayRecord?) throws -> PictureRecord? {
        guard let picture = earlier?.picture else { return nil }
        return try store.tree.hasFile(picture.file) ? picture : nil
    }

    // MARK: At NASA

    /// Tries the addresses, best first, until one answers with a picture; no lesser one than the picture here has.
    private func updateFromNASA(
        after earlier: DayRecord?, _ present: PictureRecord?
    ) async throws -> FileUpdate<PictureRecord> {
        let addresses = entry.media.pictures
        let last = present.map { rank(of: $0, in: earlier) } ?? addresses.count
        var failures: [DayProblem] = []
        // mutation test: lesser-address
        for (index, address) in addresses.enumerated() where index <= last {
            do {
                // Where NASA has nothing, the next address has the best picture that there is.
                return try await updatePicture(
                    at: address, as: UnfinishedDownloads.draft(of: entry.day, "\(index)"),
                    after: earlier, present,
                    betterAddressFailed: failures.filter { !$0.isAbsence }.mostTelling)
            } catch var failure as DayProblem {
                // NASA names no picture, and its store has made none from the video: the video is all that there is.
                if address.isRendition, failure.isAbsence { continue }
                // NASA serves a film at this address, and so has no picture that could be better.
                if address.isFilm, failure.cause == .unusable { failure.detail = .absence }
                failures.append(failure)
            }
        }
        return FileUpdate(problem: failures.mostTelling)
    }

    /// The index of the address of `picture` among those of the entry; the number of addresses if it is not known.
    private func rank(of picture: PictureRecord, in earlier: DayRecord?) -> Int {
        let addresses = entry.media.pictures
        if let index = addresses.firstIndex(where: { $0.url == picture.origin }) { return index }
        // NASA moved the original that is here: only the first address may have something at least as good.
        return picture.origin == earlier?.entry.hdurl ? 0 : addresses.count
    }

    /// Downloads the picture at one address, unless it is the one that is here and has not changed.
    ///
    /// `failure` is the problem of a better address that may work later; then this picture counts as reduced.
    private func updatePicture(
        at address: PictureAddress, as name: String, after earlier: DayRecord?,
        _ present: PictureRecord?, betterAddressFailed failure: DayProblem?
    ) async throws -> FileUpdate<PictureRecord> {
        let knownVersion = present?.origin == address.url ? present?.version : nil
        guard let download = try await download(address.url, as: name, unless: knownVersion)
        else {
            // NASA says that the picture which is here has not changed.
            guard var picture = present else { return .unchanged }
            picture.keptInsteadOf = nil
            // A reduced picture stays reduced only as long as a better one may exist; a whole picture stays whole.
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

    /// The update if the picture `current` stays in the tree; `nil` if the downloaded picture `new` replaces it.
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
        // NASA may announce no size, so that only the pixels show a smaller copy.
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

    /// Whether another day got the bytes of `picture` from NASA, for example because NASA swapped two pictures.
    ///
    /// What cannot be read proves nothing.
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

    /// The problem of a picture with fewer pixels than NASA announces; `nil` for one that NASA's store made of a video.
    private static func problemIfReduced(_ picture: PictureRecord) -> DayProblem? {
        guard picture.isReduced, !PictureAddress(picture.origin).isRendition else { return nil }
        return DayProblem(.reduced, "NASA served a smaller copy than it announces")
    }

    // MARK: On classic mirrors

    /// Downloads a picture that NASA lost or serves only reduced, from the first classic mirror that has a better one.
    ///
    /// A classic mirror is a site of another institution that has the web pages of the days before NASA's move.
    ///
    /// If no mirror has a better picture, this returns `nasaUpdate`. `present` is the intact picture in the tree.
    private func updateFromClassicMirror(
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

    /// Downloads the picture on `mirror`; `nil` if it is another picture, or has no more pixels than `best`.
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
                // Set only now, because a host that failed too often gets no request.
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
    /// The problem to report and to retry by: one of the network, else the first of a file that NASA has.
    ///
    /// Later addresses are guesses, and NASA has few of them.
    fileprivate var mostTelling: Element? {
        first { $0.cause == .unreachable } ?? first { !$0.isAbsence } ?? first
    }
}
