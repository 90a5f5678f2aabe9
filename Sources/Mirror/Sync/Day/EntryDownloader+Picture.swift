internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The picture of an entry: from its first address, that of the original, else from the next one that works.
///
/// A later address has a lesser file, such as a rendering, which never replaces a picture of a better
/// address. It counts as reduced, and the day as partial, unless NASA does not have the better ones.
extension EntryDownloader {
    /// Finds or downloads the picture, if it is missing or may be better at NASA.
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

    /// The recorded picture, if it is in the tree and has its size; else it is replaced by whatever NASA serves.
    private func presentPicture(_ earlier: DayRecord?) throws -> PictureRecord? {
        guard let picture = earlier?.picture else { return nil }
        return try store.tree.hasFile(picture.file) ? picture : nil
    }

    /// Tries the addresses, best first, down to that of the picture that is here, until one answers with a picture.
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
                // NASA names none, and its store has made none: the video is all that there is.
                if address.isRendition, failure.isAbsence { continue }
                // Where a film is, NASA has no picture that could be better.
                if address.isFilm, failure.cause == .unusable { failure.detail = .absence }
                failures.append(failure)
            }
        }
        return FileUpdate(problem: failures.mostTelling)
    }

    /// The index of the address of `picture` among those of the entry; one after the last if it is not known.
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
        let knownVersion = present.flatMap {
            $0.origin == address.url ? $0.version : nil
        }
        guard let download = try await download(address.url, as: name, unless: knownVersion)
        else {
            // Not modified since.
            guard var picture = present else { return .unchanged }
            picture.keptInsteadOf = nil
            // It stays reduced only as long as a better one may exist. The failure of a better address says nothing
            // against a picture that counted as whole.
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

    /// The update by which the picture `current` that is here stays; `nil` if the picture `new` at `address`, which
    /// `download` has, is to take its place.
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

    /// Whether another day has the bytes of `picture` from NASA, as after NASA swapped the pictures of two days.
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

    /// The problem of a picture that NASA served in fewer pixels than it announces; `nil` for others, and for one that
    /// its store made of a video, as NASA names no other.
    private static func problemIfReduced(_ picture: PictureRecord) -> DayProblem? {
        guard picture.isReduced, !PictureAddress(picture.origin).isRendition else { return nil }
        return DayProblem(.reduced, "NASA served a smaller copy than it announces")
    }
}

extension [DayProblem] {
    /// The problem to report, and to retry by.
    ///
    /// One of the network is retried soonest. Else it is the first of a file that is there: later addresses are
    /// guesses, which NASA mostly does not have.
    fileprivate var mostTelling: Element? {
        first { $0.cause == .unreachable } ?? first { !$0.isAbsence } ?? first
    }
}
