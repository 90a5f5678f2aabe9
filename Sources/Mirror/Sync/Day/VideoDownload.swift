internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of the video of a day, if NASA has it as a file.
///
/// Any other video is a web page, such as one of YouTube, and is never downloaded.
struct VideoDownload {
    let downloader: EntryDownloader
    /// The stored record of the day; `nil` if there is none.
    let earlier: DayRecord?

    typealias Update = EntryDownloader.FileUpdate<VideoRecord>

    private var entry: Entry { downloader.entry }
    private var store: Store { downloader.store }

    /// Whether the video is requested from NASA.
    private enum Request {
        case skip
        /// The video is requested, unless the server says that it still has the version `known`; `nil` requests it anyway.
        case download(unless: FileVersion?)
    }

    /// Downloads the video, if it is missing and wanted, or if NASA may have replaced it.
    func run() async throws -> Update {
        guard entry.media.videoIsFile, let address = entry.media.video,
            case .download(let known) = try request(for: address)
        else { return .unchanged }
        do {
            return try await download(from: address, unless: known)
        } catch let problem as DayProblem {
            return Update(problem: problem)
        }
    }

    private func request(for address: String) throws -> Request {
        guard downloader.scope != .textOnly else { return .skip }
        let recordedFile = earlier?.file(.video)
        if let video = earlier?.video, let recordedFile, try store.tree.hasFile(recordedFile) {
            return requestForReplacement(of: video, at: address)
        }
        // Without the setting `--videos`, only a video is downloaded that was here before, and is lost.
        guard downloadsVideos || recordedFile != nil else { return .skip }
        let hasNoPicture = earlier?.picture == nil && earlier?.removed == nil
        return downloader.scope == .all || hasNoPicture ? .download(unless: nil) : .skip
    }

    /// The request for a video that is in the tree, because NASA may have another one now.
    private func requestForReplacement(of video: VideoRecord, at address: String) -> Request {
        guard downloadsVideos, downloader.scope == .all else { return .skip }
        guard video.url.isURL(ofFileAt: address) else { return .download(unless: nil) }
        // If the server names no version, each change of the article would download a large file again.
        guard let known = video.version.known, earlier?.isArticleModified(in: entry) == true
        else { return .skip }
        return .download(unless: known)
    }

    private var downloadsVideos: Bool { downloader.synchronizer.options.downloadsVideos }

    private func download(from address: String, unless known: FileVersion?) async throws -> Update {
        let fileDownload = FileDownload(
            downloader: downloader, kind: .video, address: address, source: "video", known: known)
        guard let download = try await fileDownload.run() else { return .unchanged }
        let response = download.response
        var file = RecordedFile(path: "", bytes: response.bytes, sha256: response.sha256)
        file.path = try store.freePath(of: entry, download.header.type, for: file, after: earlier)
        let video = VideoRecord(url: address, file: file, version: ServedVersion(response))
        let isSame = known != nil && file.sha256 == earlier?.video?.file?.sha256
        return Update(record: video, file: isSame ? nil : download.file)
    }
}
