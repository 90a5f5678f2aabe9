internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Platform
internal import Transfer

/// Brings one day to the disk: its picture or poster, its video where asked for, and then its record.
struct EntryDownloader: Sendable {
    let store: Store
    let client: Client
    let keepsVideos: Bool
    let traffic: ByteCounter
    let now: @Sendable () -> Date

    /// Keeps `entry` beside or in place of what the tree has of that day.
    ///
    /// It waits for the disk on a thread and never on the caller's actor: no day holds up another.
    ///
    /// - Parameters:
    ///   - entry: What NASA says of the day now.
    ///   - isDue: Whether files that a complete day lacks are to be downloaded now.
    /// - Returns: What became of the day.
    @concurrent func keep(_ entry: Entry, isDue: Bool = true) async -> EntryOutcome {
        do {
            // An edit that was interrupted comes first: the record and the files agree again then.
            try DayPublisher(store, of: entry.day).resume()
            let earlier = try store.record(of: entry.day)
            let result = try await keep(entry, earlier, isDue: isDue)
            return EntryOutcome(entry.day, title: entry.title, result)
        } catch let error as SystemError where error.isNoSpace && isFull {
            return EntryOutcome(entry.day, title: entry.title, .noSpace("\(error)"))
        } catch {
            return EntryOutcome(
                entry.day, title: entry.title, .pending(.failed, reason: "\(error)", record: nil))
        }
    }

    /// Whether not even a small file can be written: otherwise one that was too large concerns its day.
    private var isFull: Bool {
        do throws(SystemError) {
            try store.checkRoom()
            try store.probe()
            return false
        } catch {
            return error.isNoSpace
        }
    }

    private func keep(
        _ entry: Entry, _ earlier: DayRecord?, isDue: Bool
    ) async throws -> EntryOutcome.Result {
        // Everything is downloaded before anything is published.
        async let picture = picture(of: entry, earlier, isDue: isDue)
        async let video = video(of: entry, earlier, isDue: isDue)
        let found = try await (picture: picture, video: video)

        let problem = found.picture.problem ?? found.video.problem
        var record = DayRecord(entry, after: earlier)
        if let picture = found.picture.record { record.picture = picture }
        if let video = found.video.record { record.video = video }
        let shortcut = try store.keepShortcut(of: record, after: earlier)
        record.video?.shortcut = shortcut
        let isMissing = record.picture == nil && record.video?.path == nil
        if isMissing {
            record.missing = MissingRecord(
                reason: (problem ?? Self.nothingNamed(by: entry)).reason,
                since: earlier?.missing?.since ?? now())
        }
        let news = record.news(to: earlier, at: now())
        if let news {
            var files: [DayPublisher.Kind: DownloadedFile] = [:]
            files[.picture] = found.picture.file
            files[.video] = found.video.file
            try DayPublisher(store, of: entry.day).publish(news, files, after: earlier)
        }
        if isMissing {
            let problem = problem ?? Self.nothingNamed(by: entry)
            return .pending(problem.cause, reason: problem.reason, record: news)
        }
        if let problem { return .pending(.partial, reason: problem.reason, record: news) }
        let hadNone = earlier?.picture == nil && earlier?.video?.path == nil
        guard hadNone || found.picture.file != nil || found.video.file != nil,
            let path = record.picture?.path ?? record.video?.path
        else {
            return news == nil ? .unchanged : .edited
        }
        let bytes = [found.picture.file, found.video.file].reduce(0) {
            $0 + ($1?.receipt.bytes ?? 0)
        }
        return .kept(path: path, bytes: bytes)
    }

    private static func nothingNamed(by entry: Entry) -> Problem {
        if let video = entry.media.video {
            return Problem(cause: .noImage, reason: "a video without a still picture: \(video)")
        }
        guard entry.mediaType == "image" else {
            return Problem(
                cause: .noImage, reason: "no picture: NASA calls it “\(entry.mediaType)”")
        }
        return Problem(cause: .lost, reason: "NASA names no picture, or only a stand-in for it")
    }

    /// What is to be recorded of a file, the file where it is new, and what keeps the rest away.
    private struct Found<Record: Sendable>: Sendable {
        var record: Record?
        var file: DownloadedFile?
        var problem: Problem?
    }

    struct Problem: Error, Sendable {
        var cause: RetryState.Cause
        var reason: String
    }

    // MARK: The picture

    private func picture(
        of entry: Entry, _ earlier: DayRecord?, isDue: Bool
    ) async throws -> Found<PictureRecord> {
        if let earlier, !earlier.wantsPicture(of: entry, in: store.tree, isDue: isDue) {
            return Found()
        }
        if earlier?.picture == nil, let picture = try store.adoptPicture(of: entry) {
            return Found(record: picture, problem: picture.isReduced ? Self.reduced : nil)
        }
        var problem: Problem?
        for (index, address) in entry.media.pictures.enumerated() {
            do {
                return try await fetch(address, index, entry, earlier)
            } catch let failure as Problem {
                // What may pass is the better reason: it is looked for again sooner.
                if problem?.cause != .unreachable { problem = failure }
            }
        }
        return Found(problem: problem)
    }

    private static let reduced = Problem(
        cause: .partial, reason: "NASA served a smaller copy than the one it tells of")

    private func fetch(
        _ address: PictureAddress, _ index: Int, _ entry: Entry, _ earlier: DayRecord?
    ) async throws -> Found<PictureRecord> {
        let draft = try store.draft("\(entry.day).\(index).part")
        let receipt = try await download(address.url, into: draft.file)
        let header = try header(of: draft.file, at: address.url)
        guard header.type.isPicture else {
            throw Problem(
                cause: .noImage, reason: "\(address.url) holds a video: --videos keeps it")
        }
        var picture = PictureRecord(receipt, header, at: address)
        let problem = picture.isReduced ? Self.reduced : nil
        if let had = earlier?.picture, store.tree.exists(had.path) {
            if had.sha256 == picture.sha256 {
                picture.path = had.path
                return Found(record: picture, problem: problem)
            }
            if picture.isWorse(than: had) { return Found(problem: problem) }
        }
        picture.path = store.path(of: entry, header.type, replacing: earlier?.picture?.path)
        return Found(record: picture, file: DownloadedFile(draft, receipt), problem: problem)
    }

    // MARK: The video

    private func video(
        of entry: Entry, _ earlier: DayRecord?, isDue: Bool
    ) async throws -> Found<VideoRecord> {
        guard entry.media.videoIsFile, let address = entry.media.video else { return Found() }
        if let video = earlier?.video, let path = video.path, store.tree.exists(path) {
            guard keepsVideos, isDue, video.url != address else { return Found() }
        } else if earlier?.video?.path == nil, let video = try store.adoptVideo(of: entry) {
            return Found(record: video)
        }
        guard keepsVideos, isDue || earlier?.picture == nil else { return Found() }
        do {
            return try await fetchVideo(address, entry, earlier)
        } catch let problem as Problem {
            return Found(problem: problem)
        }
    }

    private func fetchVideo(
        _ address: String, _ entry: Entry, _ earlier: DayRecord?
    ) async throws -> Found<VideoRecord> {
        let draft = try store.draft("\(entry.day).video.part")
        let receipt = try await download(address, into: draft.file)
        let header = try header(of: draft.file, at: address)
        guard header.type == .mp4 else {
            throw Problem(cause: .unusable, reason: "\(address) holds no MP4 video")
        }
        let path = store.path(of: entry, .mp4, replacing: earlier?.video?.path)
        let video = VideoRecord(
            url: address, path: path, bytes: receipt.bytes, sha256: receipt.sha256)
        return Found(record: video, file: DownloadedFile(draft, receipt))
    }

    // MARK: What both need

    /// The most bytes of one file: 2 GiB.
    private static let limit = 2 << 30

    private func download(
        _ address: String, into file: borrowing FileDescriptor
    ) async throws -> DownloadResult {
        let room = try store.room()
        guard room > 0 else { throw SystemError("write", path: store.tree.root.path, code: ENOSPC) }
        do {
            return try await client.download(
                address, into: file, limit: min(room, Self.limit), progress: traffic.listener())
        } catch .tooLong where room < Self.limit {
            throw Problem(
                cause: .failed,
                reason:
                    "\(address) is larger than the \(room) bytes that may be written: make room, or"
                    + " lower --min-free")
        } catch {
            throw try Self.problem(of: error)
        }
    }

    /// What a failed transfer means for the day.
    ///
    /// - Throws: What concerns this machine rather than the day.
    private static func problem(of error: TransferError) throws -> Problem {
        switch error {
        case .file(let error): throw error
        case .cancelled: throw CancellationError()
        default:
            Problem(cause: error.isOfTheServer ? .unreachable : .unusable, reason: "\(error)")
        }
    }

    private func header(
        of file: borrowing FileDescriptor, at address: String
    ) throws -> MediaHeader {
        do {
            let header = try MediaHeader(reading: file)
            try header.checkEnd(of: file)
            return header
        } catch {
            client.metrics.note(.unusable)
            throw Problem(cause: .unusable, reason: "\(address) holds \(error)")
        }
    }
}

extension TransferError {
    /// Whether the network or the server is away or overloaded, and says nothing of what was asked for.
    var isOfTheServer: Bool {
        switch self {
        case .refused(_, let status, _): status >= 500 || [408, 425, 429].contains(status)
        case .unreachable, .throttled, .broken: true
        case .forbidden, .tooLong, .file, .cancelled: false
        }
    }
}
