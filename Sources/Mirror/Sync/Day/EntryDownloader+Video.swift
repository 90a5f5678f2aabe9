internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of the video of a day, if NASA has it as a file.
///
/// Any other video is a web page, such as one of YouTube, and is never downloaded.
extension EntryDownloader {
    /// Whether the video is requested from NASA.
    private enum VideoRequest {
        case skip
        /// The video is requested, unless the server says that it still has the version `known`; `nil` requests it anyway.
        case download(unless: FileVersion?)
    }

    /// Downloads the video, if it is missing and wanted, or if NASA may have replaced it.
    func downloadVideo(after earlier: DayRecord?) async throws -> FileUpdate<VideoRecord> {
        guard entry.media.videoIsFile, let address = entry.media.video,
            case .download(let known) = try videoRequest(for: address, after: earlier)
        else { return .unchanged }
        do {
            return try await fetchVideo(at: address, unless: known, after: earlier)
        } catch let problem as DayProblem {
            return FileUpdate(problem: problem)
        }
    }

    private func videoRequest(
        for address: String, after earlier: DayRecord?
    ) throws -> VideoRequest {
        guard scope != .textOnly else { return .skip }
        let downloadsVideos = synchronizer.options.downloadsVideos
        let recordedFile = earlier?.file(.video)
        if let earlier, let video = earlier.video, let recordedFile,
            try store.tree.hasFile(recordedFile)
        {
            // NASA may have another video now.
            guard downloadsVideos, scope == .all else { return .skip }
            guard video.url.isURL(ofFileAt: address) else { return .download(unless: nil) }
            // If the server names no version, each change of the article would download a large file again.
            guard let known = video.version, earlier.isArticleModified(in: entry)
            else { return .skip }
            return .download(unless: known)
        }
        // Without the setting `--videos`, only a video is downloaded that was here before, and is lost.
        guard downloadsVideos || recordedFile != nil else { return .skip }
        let hasNoPicture = earlier?.picture == nil && earlier?.removed == nil
        return scope == .all || hasNoPicture ? .download(unless: nil) : .skip
    }

    /// Downloads the video at one address, unless it still has the version `known`.
    private func fetchVideo(
        at address: String, unless known: FileVersion?, after earlier: DayRecord?
    ) async throws -> FileUpdate<VideoRecord> {
        let name = UnfinishedDownloads.draftName(of: entry.day, source: "video")
        guard
            let download = try await download(address, as: name, isVideo: true, unless: known)
        else { return .unchanged }
        let response = download.response
        var file = RecordedFile(path: "", bytes: response.bytes, sha256: response.sha256)
        file.path = try store.freePath(of: entry, download.header.type, for: file, after: earlier)
        let video = VideoRecord(
            url: address, file: file, etag: response.etag, lastModified: response.lastModified)
        let isSame = known != nil && file.sha256 == earlier?.video?.file?.sha256
        return FileUpdate(record: video, file: isSame ? nil : download.file)
    }
}
