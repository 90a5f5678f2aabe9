internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

extension EntryDownloader {
    /// Finds or downloads the picture, if it is missing, or if NASA may have a better one.
    ///
    /// `earlier` is the stored record; `nil` if there is none.
    func downloadPicture(after earlier: DayRecord?) async throws -> FileUpdate<PictureRecord> {
        guard scope != .textOnly else { return .unchanged }
        if let earlier,
            try !earlier.needsPicture(of: entry, in: store.tree, permitsReplacement: scope == .all)
        {
            return .unchanged
        }
        // A person may have imported it by `apod-mirror adopt`, before NASA's entry was known.
        if earlier?.picture == nil,
            let adopted = try store.adoptedPicture(
                of: entry, isKnownAsAdopted: hasAdoptedPicture, after: earlier)
        {
            return adopted
        }
        var present = earlier?.picture
        if let picture = present, try !store.tree.hasFile(picture.file) { present = nil }
        return try await PictureDownload(downloader: self, earlier: earlier, present: present)
            .run()
    }
}

/// The download of the picture of one day: from the first of NASA's addresses that works, else from a *classic mirror*.
///
/// NASA's *entry* of the day, with its text, may name several addresses. The first one has the original. A later one has a lesser
/// file, such as a smaller copy, which never replaces a picture from a better address. The picture from a later address counts
/// as *reduced*, so that the original is requested again later, unless NASA has lost all better ones.
///
/// The extension +ClassicMirror has the download from a site of another institution, for pictures that NASA has lost.
struct PictureDownload: Sendable {
    let downloader: EntryDownloader
    /// The stored record of the day; `nil` if there is none.
    let earlier: DayRecord?
    /// The recorded picture, if it is in the tree with its recorded size; `nil` if any picture is better than none.
    let present: PictureRecord?

    typealias Update = EntryDownloader.FileUpdate<PictureRecord>

    var entry: Entry { downloader.entry }
    var store: Store { downloader.store }

    func run() async throws -> Update {
        let update = try await downloadFromNASA()
        let best = update.record ?? present
        guard mayBeElsewhere(betterThan: best, problem: update.problem) else { return update }
        return try await downloadFromClassicMirrors(betterThan: best) ?? update
    }

    // MARK: At NASA

    /// Tries NASA's addresses, the best one first, until one answers with a picture.
    ///
    /// An address with a lesser picture than the one in the tree is not tried.
    private func downloadFromNASA() async throws -> Update {
        let addresses = entry.media.pictures
        let rankOfPresent = present.map(rank) ?? addresses.count
        var failures: [DayProblem] = []
        // mutation test: lesser-address (see Tests/Mutants)
        for (index, address) in addresses.enumerated() where index <= rankOfPresent {
            do {
                return try await download(
                    from: address, source: "\(index)",
                    problemOfBetterAddress: Self.problemOfBetterAddress(failures))
            } catch let failure as DayProblem {
                if let counted = Self.countedFailure(failure, at: address) {
                    failures.append(counted)
                }
            }
        }
        return Update(problem: failures.mostTelling)
    }

    /// The problem of a better picture that may exist at NASA, by the `failures` of the better addresses.
    private static func problemOfBetterAddress(_ failures: [DayProblem]) -> DayProblem? {
        guard var problem = failures.filter({ !$0.isAbsence }).mostTelling else { return nil }
        // After a refusal, a day without a picture is tried again soon. This day has one, and need not be.
        if problem.isRefusal { problem.detail = .none }
        return problem
    }

    /// The position of the address of `picture` among those of the entry; their number if the address is not among them.
    private func rank(of picture: PictureRecord) -> Int {
        let addresses = entry.media.pictures
        if let index = addresses.firstIndex(where: { picture.came(from: $0.url) }) { return index }
        // An imported picture is at least as good as the one whose announced size it has.
        if picture.isImported,
            let index = addresses.firstIndex(where: { picture.size.isAsAnnounced(at: $0) })
        {
            return index
        }
        // If the tree has the original, and NASA moved it, only the first address may have something as good.
        return picture.came(from: earlier?.entry.hdurl) ? 0 : addresses.count
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
        from address: PictureAddress, source: String, problemOfBetterAddress: DayProblem?
    ) async throws -> Update {
        let known = present?.came(from: address.url) == true ? present?.version.known : nil
        let fileDownload = FileDownload(
            downloader: downloader, kind: .picture, address: address.url, source: source,
            known: known)
        guard let download = try await fileDownload.run() else {
            return updateOfUnchangedPicture(at: address, problem: problemOfBetterAddress)
        }
        var picture = PictureRecord(download.response, download.header, at: address)
        if problemOfBetterAddress != nil { picture.isReduced = true }
        if entry.route == .classic { picture.mirror = entry.permalink }
        let problem = problemOfBetterAddress ?? Self.problemIfReduced(picture)

        if let present {
            // mutation test: worse-picture
            if picture.isWorse(than: present) { return Update(problem: problem) }
            if picture.sha256 == present.sha256 {
                picture.path = present.path
                return Update(record: picture, problem: problem)
            }
            if isSmallCopy(picture, of: present, at: address) {
                return updateThatKeeps(present, insteadOf: picture)
            }
        }
        picture.path = try store.freePath(
            of: entry, download.header.type, for: picture.file, after: earlier)
        return Update(record: picture, file: download.file, problem: problem)
    }

    /// The update after NASA has said that the picture in the tree has not changed.
    private func updateOfUnchangedPicture(
        at address: PictureAddress, problem problemOfBetterAddress: DayProblem?
    ) -> Update {
        guard var picture = present else { return .unchanged }
        picture.keptInsteadOf = nil
        // It counts as reduced only as long as a better one may exist.
        let isStillReduced = picture.isReduced && problemOfBetterAddress != nil
        picture.isReduced = isStillReduced || picture.size.isReduced(at: address)
        return Update(
            record: picture, problem: problemOfBetterAddress ?? Self.problemIfReduced(picture))
    }

    /// The problem of a picture with fewer pixels than NASA announces; `nil` for any other one, and for a still of a video.
    static func problemIfReduced(_ picture: PictureRecord) -> DayProblem? {
        guard picture.isReduced, !PictureAddress(picture.origin).isRendition else { return nil }
        return DayProblem(.reduced, "NASA served a smaller copy than it announces")
    }

    // MARK: Comparing with the picture in the tree

    /// Whether `new` is a small copy by which NASA has replaced the picture in the tree, `current`.
    private func isSmallCopy(
        _ new: PictureRecord, of current: PictureRecord, at address: PictureAddress
    ) -> Bool {
        // If NASA announces no size, only the number of pixels shows that the new picture is a smaller copy.
        // mutation test: announced-size
        !new.size.isAsAnnounced(at: address) && new.isSmallCopy(of: current)
            && !isOfAnotherDay(current)
    }

    /// The update that keeps the picture in the tree, `current`, and records that NASA serves the smaller `new` one.
    private func updateThatKeeps(_ current: PictureRecord, insteadOf new: PictureRecord) -> Update {
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
            // Only records of days with a file of this size are read.
            guard files.day != entry.day,
                files.media.contains(where: { $0.stamp.size == picture.bytes }),
                let other = try? store.record(of: files.day)?.picture
            else { return false }
            let isFromNASA = !other.isFromElsewhere && other.keptInsteadOf == nil
            return isFromNASA && other.sha256 == picture.sha256
        }
    }
}

extension [DayProblem] {
    /// The problem that is reported, and decides when to retry; `nil` if there is none.
    ///
    /// A failure of the network comes first, because then nothing is known about the file. The absence of a file comes last:
    /// it says little, because the later addresses are guesses.
    fileprivate var mostTelling: Element? {
        if let failure = first(where: { $0.cause == .unreachable }) { return failure }
        if let problemOfFile = first(where: { !$0.isAbsence }) { return problemOfFile }
        return first
    }
}
