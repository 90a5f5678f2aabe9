internal import APOD
internal import Platform
internal import Transfer

/// The picture of an entry: from its first address, that of the original, else from the next one that works.
///
/// A later address has a lesser file, such as a rendering, which never replaces a picture of a better
/// address. It counts as reduced, and the day as partial, unless NASA does not have the better ones.
extension EntryDownloader {
    func picture(after earlier: DayRecord?) async throws -> Found<PictureRecord> {
        if let earlier,
            try !earlier.needsPicture(
                of: entry, in: store.tree, isDue: isDue, isSuspect: isSuspect)
        {
            return Found()
        }
        if earlier?.picture == nil {
            if let picture = try store.unrecordedPicture(of: entry) {
                return Found(record: picture, problem: Self.reduction(picture))
            }
            if let (picture, file) = try store.adoptedPicture(of: entry) {
                return Found(record: picture, file: file, problem: Self.reduction(picture))
            }
        }
        // A missing or cut picture is replaced by whatever NASA serves.
        let current = try earlier?.picture.flatMap {
            try store.tree.isIntact(.init($0), isRead: false) ? $0 : nil
        }
        let isIntact =
            try current.map { try !isSuspect || store.tree.isIntact(.init($0), isRead: true) }
            ?? false
        let found = try await nasaPicture(after: earlier, current, isIntact: isIntact)
        return try await replacedFromMirror(
            found, after: earlier, isIntact ? current : nil)
    }

    private func nasaPicture(
        after earlier: DayRecord?, _ current: PictureRecord?, isIntact: Bool
    ) async throws -> Found<PictureRecord> {
        let addresses = entry.media.pictures
        let last = current.map { rank(of: $0, in: earlier) } ?? addresses.count
        var failures: [Problem] = []
        // mutation test: lesser-address
        for (index, address) in addresses.enumerated() where index <= last {
            do {
                return try await picture(
                    at: address, index, after: earlier, current, isIntact: isIntact,
                    afterFailure: failures.filter { !$0.isAbsence }.mostTransient)
            } catch let failure as Problem {
                failures.append(failure)
            }
        }
        return Found(problem: failures.mostTransient)
    }

    /// The index of the address of `picture` among those of the entry; one after the last if it is not known.
    private func rank(of picture: PictureRecord, in earlier: DayRecord?) -> Int {
        let addresses = entry.media.pictures
        return addresses.firstIndex { $0.url == picture.origin }
            ?? (picture.origin == earlier?.entry.hdurl ? 0 : addresses.count)
    }

    private static func reduction(_ picture: PictureRecord?) -> Problem? {
        guard picture?.isReduced ?? false else { return nil }
        return Problem(cause: .partial, reason: "NASA served a smaller copy than it announces")
    }

    /// The problem that NASA has only `picture`, which is not published.
    private static func smaller(_ picture: PictureRecord) -> Problem {
        Problem(
            cause: .partial,
            reason: "NASA replaced the picture by a smaller copy (\(picture.width) x"
                + " \(picture.height)); the larger one is kept")
    }

    /// Downloads the picture at one address; `failure` is that of the better addresses.
    private func picture(
        at address: PictureAddress, _ index: Int, after earlier: DayRecord?,
        _ current: PictureRecord?, isIntact: Bool, afterFailure failure: Problem?
    ) async throws -> Found<PictureRecord> {
        let known = isIntact && current?.origin == address.url ? current?.version : nil
        guard
            let (file, result, header) = try await download(
                address.url, as: "\(entry.day).\(index).part", unless: known)
        else { return Found(problem: failure ?? Self.reduction(current)) }
        guard header.type.isPicture else {
            throw Problem(
                cause: .unusable, reason: "\(address.url) is a video, not a picture")
        }
        var picture = PictureRecord(result, header, at: address)
        if failure != nil { picture.isReduced = true }
        let problem = failure ?? Self.reduction(picture)
        if let current {
            // mutation test: worse-picture
            if isIntact, picture.isWorse(than: current) { return Found(problem: problem) }
            if current.sha256 == picture.sha256 {
                picture.path = current.path
                return Found(record: picture, file: isIntact ? nil : file, problem: problem)
            }
            // A damaged picture, perhaps by one bit, is better than one with fewer pixels.
            let isSmaller =
                isIntact
                ? picture.isSmallCopy(of: current) : picture.pixels < current.pixels
            if isSmaller { return Found(problem: Self.smaller(picture)) }
        }
        picture.path = try store.freePath(
            of: entry, header.type, replacing: earlier?.picture?.path, isRecorded: earlier != nil)
        return Found(record: picture, file: file, problem: problem)
    }
}

extension [EntryDownloader.Problem] {
    /// The problem that is retried soonest: one of the network, else the last one.
    fileprivate var mostTransient: Element? { first { $0.cause == .unreachable } ?? last }
}
