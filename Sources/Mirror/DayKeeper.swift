internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Platform
internal import Transfer

/// Brings one day to the disk: its picture or poster, its video where asked for, and then its record.
struct DayKeeper: Sendable {
    let store: Store
    let client: Client
    let keepsVideos: Bool
    let traffic: Traffic
    let now: @Sendable () -> Date

    /// Keeps `entry` beside or in place of what the tree has of that day.
    ///
    /// It waits for the disk on a thread and never on the caller's actor: no day holds up another.
    @concurrent func keep(_ entry: Entry) async -> DayOutcome {
        do {
            let earlier = try store.record(of: entry.day)
            return DayOutcome(entry.day, title: entry.title, try await keep(entry, earlier))
        } catch let error as SystemError where error.isNoSpace {
            return DayOutcome(entry.day, title: entry.title, .noSpace("\(error)"))
        } catch {
            return DayOutcome(
                entry.day, title: entry.title, .pending(.failed, reason: "\(error)", record: nil))
        }
    }

    private func keep(_ entry: Entry, _ earlier: DayRecord?) async throws -> DayOutcome.Result {
        async let picture = picture(of: entry, earlier)
        async let video = video(of: entry, earlier)
        let found = try await (picture: picture, video: video)

        let problem = found.picture.problem ?? found.video.problem
        var record = DayRecord(entry, after: earlier)
        if let picture = found.picture.file { record.picture = picture }
        if let video = found.video.file { record.video = video }
        let shortcut = try store.keepShortcut(of: record, after: earlier)
        record.video?.shortcut = shortcut
        guard record.picture != nil || record.video?.path != nil else {
            let problem = problem ?? Self.nothingNamed(by: entry)
            record.missing = MissingRecord(
                reason: problem.reason, since: earlier?.missing?.since ?? now())
            let news = record.news(to: earlier, at: now())
            return .pending(problem.cause, reason: problem.reason, record: news)
        }
        let news = record.news(to: earlier, at: now())
        if let news { try store.publish(news, after: earlier) }
        if let problem { return .pending(.partial, reason: problem.reason, record: nil) }
        guard let path = found.picture.file?.path ?? found.video.file?.path else {
            return news == nil ? .unchanged : .edited
        }
        let bytes = (found.picture.file?.bytes ?? 0) + (found.video.file?.bytes ?? 0)
        return .kept(path: path, bytes: bytes)
    }

    private static func nothingNamed(by entry: Entry) -> Problem {
        if let video = entry.media.video {
            return Problem(cause: .noStill, reason: "a video without a still picture: \(video)")
        }
        guard entry.mediaType == "image" else {
            return Problem(
                cause: .noStill, reason: "no picture: NASA calls it “\(entry.mediaType)”")
        }
        return Problem(cause: .lost, reason: "NASA names no picture, or only a stand-in for it")
    }

    /// Something that was to be had: what is there now, and what stands in the way of the rest.
    private struct Found<File: Sendable>: Sendable {
        var file: File?
        var problem: Problem?
    }

    struct Problem: Error, Sendable {
        var cause: Pending.Cause
        var reason: String
    }

    // MARK: The picture

    private func picture(
        of entry: Entry, _ earlier: DayRecord?
    ) async throws -> Found<PictureRecord> {
        if let earlier, !earlier.wantsPicture(of: entry, in: store.tree) { return Found() }
        var problem: Problem?
        for (index, address) in entry.media.pictures.enumerated() {
            do {
                let picture = try await fetch(address, index, entry, earlier)
                guard let picture else { return Found(file: nil, problem: problem) }
                problem = picture.isReduced ? Problem(cause: .partial, reason: Self.reduced) : nil
                return Found(file: picture, problem: problem)
            } catch let failure as Problem {
                // What may pass is the better reason: it is looked for again sooner.
                if problem?.cause != .unreachable { problem = failure }
            }
        }
        return Found(file: nil, problem: problem)
    }

    private static let reduced = "NASA served a smaller copy than the one it tells of"

    /// - Returns: `nil` where what is served is what the tree has, or worse.
    private func fetch(
        _ address: PictureAddress, _ index: Int, _ entry: Entry, _ earlier: DayRecord?
    ) async throws -> PictureRecord? {
        let draft = try store.draft("\(entry.day).\(index).part")
        let receipt = try await download(address.url, into: draft.file)
        let header = try header(of: draft.file, at: address.url)
        guard let size = header.size else {
            throw Problem(
                cause: .noStill, reason: "\(address.url) holds a video: --videos keeps it")
        }
        var picture = PictureRecord(receipt, header.type, size, at: address)
        if let had = earlier?.picture, store.tree.exists(had.path),
            had.sha256 == picture.sha256 || picture.isWorse(than: had)
        {
            return nil
        }
        picture.path = try store.publish(
            draft, as: header.type, from: receipt.address, of: entry,
            replacing: earlier?.picture?.path, revision: earlier?.revision ?? 1)
        return picture
    }

    // MARK: The video

    private func video(of entry: Entry, _ earlier: DayRecord?) async throws -> Found<VideoRecord> {
        guard keepsVideos, entry.media.videoIsFile, let address = entry.media.video else {
            return Found()
        }
        if let video = earlier?.video, video.url == address, let path = video.path,
            store.tree.exists(path)
        {
            return Found()
        }
        do {
            return Found(file: try await fetchVideo(address, entry, earlier), problem: nil)
        } catch let problem as Problem {
            return Found(file: nil, problem: problem)
        }
    }

    private func fetchVideo(
        _ address: String, _ entry: Entry, _ earlier: DayRecord?
    ) async throws -> VideoRecord {
        let draft = try store.draft("\(entry.day).video.part")
        let receipt = try await download(address, into: draft.file)
        let header = try header(of: draft.file, at: address)
        guard header.type == .mp4 else {
            throw Problem(cause: .unusable, reason: "\(address) holds no MP4 video")
        }
        let path = try store.publish(
            draft, as: .mp4, from: receipt.address, of: entry,
            replacing: earlier?.video?.path, revision: earlier?.revision ?? 1)
        return VideoRecord(
            url: address, path: path, bytes: receipt.bytes, sha256: receipt.sha256)
    }

    // MARK: What both need

    /// The most bytes of one file: 2 GiB.
    private static let limit = 2 << 30

    private func download(
        _ address: String, into file: borrowing FileDescriptor
    ) async throws -> Receipt {
        let room = try store.room()
        guard room > 0 else { throw SystemError("write", path: store.tree.root.path, code: ENOSPC) }
        do {
            return try await client.download(
                address, into: file, limit: min(room, Self.limit), progress: traffic.listener())
        } catch .tooLong where room < Self.limit {
            throw SystemError("write", path: store.tree.root.path, code: ENOSPC)
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
        case .forbidden, .tooLong: Problem(cause: .unusable, reason: "\(error)")
        case .refused(_, let status, _) where status < 500 && ![408, 425, 429].contains(status):
            Problem(cause: .unusable, reason: "\(error)")
        case .refused, .unreachable, .throttled, .broken:
            Problem(cause: .unreachable, reason: "\(error)")
        }
    }

    private func header(
        of file: borrowing FileDescriptor, at address: String
    ) throws -> MediaHeader {
        do {
            return try MediaHeader(reading: file)
        } catch {
            client.tally.note(.unusable)
            throw Problem(cause: .unusable, reason: "\(address) holds \(error)")
        }
    }
}
