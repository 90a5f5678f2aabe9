internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of the picture of one day: from the first of NASA's addresses that works, else from a classic mirror.
///
/// NASA's entry may name several addresses. The first one has the original. A later one has a lesser file, such as a smaller
/// copy, which never replaces a picture from a better address. The picture from a later address counts as *reduced*, so that
/// the original is requested again later, unless NASA has lost all better ones.
///
/// A *classic mirror* is a site of another institution, with the web pages of the days before NASA's move to a new site.
///
/// The marks `mutation test: …` are for Tests/Mutants.
private struct PictureDownload: Sendable {
    let downloader: EntryDownloader
    /// The stored record of the day; `nil` if there is none.
    let earlier: DayRecord?
    /// The recorded picture, if it is in the tree with its recorded size; `nil` if any picture is better than none.
    let present: PictureRecord?

    typealias Update = EntryDownloader.FileUpdate<PictureRecord>

    private var entry: Entry { downloader.entry }
    private var store: Store { downloader.store }

    func run() async throws -> Update {
        let update = try await downloadFromNASA()
        let best = update.record ?? present
        guard mayBeElsewhere(betterThan: best, update.problem) else { return update }
        return try await downloadFromClassicMirror(betterThan: best) ?? update
    }

    // MARK: At NASA

    /// Tries NASA's addresses, the best one first, until one answers with a picture.
    ///
    /// An address with a lesser picture than the one in the tree is not tried.
    private func downloadFromNASA() async throws -> Update {
        let addresses = entry.media.pictures
        let last = present.map(rank) ?? addresses.count
        var failures: [DayProblem] = []
        // mutation test: lesser-address
        for (index, address) in addresses.enumerated() where index <= last {
            do {
                // A better address that failed counts only if NASA has something there.
                var problem = failures.filter { !$0.isAbsence }.mostTelling
                // The better picture waits as for any other day that has a picture.
                if problem?.isRefusal == true { problem?.detail = .none }
                return try await download(
                    from: address, as: UnfinishedDownloads.draft(of: entry.day, "\(index)"),
                    problemOfBetterAddress: problem)
            } catch let failure as DayProblem {
                if let counted = Self.countedFailure(failure, at: address) {
                    failures.append(counted)
                }
            }
        }
        return Update(problem: failures.mostTelling)
    }

    /// The position of the address of `picture` among those of the entry; their number if the address is not among them.
    private func rank(of picture: PictureRecord) -> Int {
        let addresses = entry.media.pictures
        if let index = addresses.firstIndex(where: { $0.url == picture.origin }) { return index }
        // An imported picture is at least as good as the one whose announced size it has.
        if picture.isImported,
            let index = addresses.firstIndex(where: { picture.size.isAsAnnounced(at: $0) })
        {
            return index
        }
        // If the tree has the original, and NASA moved it, only the first address may have something as good.
        return picture.origin == earlier?.entry.hdurl ? 0 : addresses.count
    }

    /// What the failure of a request for `address` says about the picture; `nil` if it says nothing.
    private static func countedFailure(
        _ failure: DayProblem, at address: PictureAddress
    ) -> DayProblem? {
        // NASA names no picture, and has not made a still image of the video. So nothing is missing.
        if address.isRendition, failure.isAbsence { return nil }
        guard address.isFilm, failure.cause == .unusable else { return failure }
        // NASA has a film at this address, and so no picture that could be better.
        return DayProblem(failure.cause, failure.reason, .absence)
    }

    /// Downloads the picture from one address, unless it is the picture in the tree and has not changed.
    ///
    /// If a better address has a problem, and may work later, this picture counts as reduced.
    private func download(
        from address: PictureAddress, as draft: String, problemOfBetterAddress: DayProblem?
    ) async throws -> Update {
        let isAddressOfPresent = present?.origin == address.url
        let known = isAddressOfPresent ? present?.version : nil
        guard let download = try await downloader.download(address.url, as: draft, unless: known)
        else { return updateOfUnchangedPicture(at: address, problemOfBetterAddress) }
        var picture = PictureRecord(download.response, download.header, at: address)
        if problemOfBetterAddress != nil { picture.isReduced = true }
        if entry.route == .classic { picture.mirror = entry.permalink }
        let problem = problemOfBetterAddress ?? Self.problemIfReduced(picture)

        if let present {
            switch comparison(of: picture, with: present, at: address) {
            case .worse:
                return Update(problem: problem)
            case .same:
                picture.path = present.path
                return Update(record: picture, problem: problem)
            case .smallCopy:
                return updateThatKeeps(present, insteadOf: picture)
            case .replacement:
                break
            }
        }
        picture.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return Update(record: picture, file: download.file, problem: problem)
    }

    /// The update after NASA has said that the picture in the tree has not changed.
    private func updateOfUnchangedPicture(
        at address: PictureAddress, _ problemOfBetterAddress: DayProblem?
    ) -> Update {
        guard var picture = present else { return .unchanged }
        picture.keptInsteadOf = nil
        // It counts as reduced only as long as a better one may exist.
        if picture.isReduced {
            picture.isReduced =
                problemOfBetterAddress != nil || picture.size.isReduced(at: address)
        }
        return Update(
            record: picture, problem: problemOfBetterAddress ?? Self.problemIfReduced(picture))
    }

    /// The problem of a picture with fewer pixels than NASA announces; `nil` for any other one, and for a still of a video.
    static func problemIfReduced(_ picture: PictureRecord) -> DayProblem? {
        guard picture.isReduced, !PictureAddress(picture.origin).isRendition else { return nil }
        return DayProblem(.reduced, "NASA served a smaller copy than it announces")
    }

    // MARK: Comparing with the picture in the tree

    /// How a downloaded picture compares with the one in the tree.
    private enum Comparison {
        /// The downloaded picture is reduced, and has no more pixels than the one in the tree if that is reduced, too.
        case worse
        /// Both have the same bytes.
        case same
        /// The downloaded picture seems to be a small copy of the one in the tree.
        case smallCopy
        /// The downloaded picture is to replace the one in the tree.
        case replacement
    }

    private func comparison(
        of new: PictureRecord, with current: PictureRecord, at address: PictureAddress
    ) -> Comparison {
        // mutation test: worse-picture
        if new.isWorse(than: current) { return .worse }
        if current.sha256 == new.sha256 { return .same }
        // If NASA announces no size, only the number of pixels shows that the new picture is a smaller copy.
        // mutation test: announced-size
        guard !new.size.isAsAnnounced(at: address), new.isSmallCopy(of: current),
            !isOfAnotherDay(current)
        else { return .replacement }
        return .smallCopy
    }

    private func updateThatKeeps(
        _ current: PictureRecord, insteadOf new: PictureRecord
    ) -> Update {
        let reason =
            "NASA replaced the picture by a smaller copy (\(new.size)); the larger one is kept"
        var kept = current
        kept.keptInsteadOf = new.origin
        return Update(record: kept, problem: DayProblem(.reduced, reason))
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

    // MARK: On classic mirrors

    /// Whether a classic mirror may have a better picture than `best`: NASA has lost the picture, or serves it only reduced.
    private func mayBeElsewhere(
        betterThan best: PictureRecord?, _ problemAtNASA: DayProblem?
    ) -> Bool {
        guard entry.mediaType == "image", entry.media.video == nil else { return false }
        // If the network failed, NASA may still have the picture.
        if let problemAtNASA, problemAtNASA.cause.isTransient { return false }
        return best?.isReduced ?? true
    }

    /// Downloads the picture from the first classic mirror that has a better one than `best`; returns `nil` if none has.
    private func downloadFromClassicMirror(
        betterThan best: PictureRecord?
    ) async throws -> Update? {
        for mirror in downloader.classicMirrors {
            do {
                if let better = try await download(from: mirror, ifBetterThan: best) {
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
        from mirror: ClassicMirror, ifBetterThan best: PictureRecord?
    ) async throws -> Update? {
        let address = mirror.webPage(of: entry.day).text
        let page = try await webPage(at: address)
        let earlierURLs = [earlier?.entry.url, earlier?.entry.hdurl].compactMap(\.self)
        guard let offer = mirror.offer(for: entry, on: page, earlierURLs: earlierURLs),
            let download = try await downloader.download(
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
        picture.mirror = address
        picture.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return Update(record: picture, file: download.file)
    }

    /// Requests a web page of a classic mirror; returns its HTML.
    private func webPage(at address: String) async throws -> [UInt8] {
        do throws(TransferError) {
            return try await downloader.request(address) { () async throws(TransferError) in
                // Set here, because no request is sent to a host that has failed too often.
                downloader.progress.withLock { $0.mirrorsRequested = true }
                return try await downloader.synchronizer.client.get(
                    address, as: .webPage, limit: TextLimit.article)
            }.body
        } catch {
            throw try DayProblem(error, of: address)
        }
    }
}

extension EntryDownloader {
    /// Finds or downloads the picture, if it is missing, or if NASA may have a better one.
    ///
    /// `earlier` is the stored record; `nil` if there is none.
    func downloadPicture(after earlier: DayRecord?) async throws -> FileUpdate<PictureRecord> {
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
                of: entry, isKnownAsAdopted: hasAdoptedPicture, after: earlier)
        {
            return FileUpdate(
                record: picture, file: file, problem: PictureDownload.problemIfReduced(picture))
        }
        var present = earlier?.picture
        if let picture = present, try !store.tree.hasFile(picture.file) { present = nil }
        return try await PictureDownload(downloader: self, earlier: earlier, present: present)
            .run()
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
