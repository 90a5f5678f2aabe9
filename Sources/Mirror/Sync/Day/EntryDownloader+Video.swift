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
        case none
        /// The video is requested, unless the server says that it still has the version `known`; `nil` requests it anyway.
        case download(unless: FileVersion?)
    }

    /// Downloads the video, if it is missing and wanted, or if NASA may have replaced it.
    ///
    /// It is wanted with the setting `--videos`, or if it was downloaded before and is lost.
    func downloadVideo(after earlier: DayRecord?) async throws -> FileUpdate<VideoRecord> {
        guard scope != .textOnly, entry.media.videoIsFile, let address = entry.media.video,
            case .download(let known) = try videoRequest(for: address, after: earlier)
        else { return .unchanged }
        do {
            return try await downloadVideo(at: address, unless: known, after: earlier)
        } catch let problem as DayProblem {
            return FileUpdate(problem: problem)
        }
    }

    private func videoRequest(
        for address: String, after earlier: DayRecord?
    ) throws -> VideoRequest {
        let file = earlier?.file(.video)
        if let earlier, let video = earlier.video, let file, try store.tree.hasFile(file) {
            return requestForReplacement(of: video, at: address, after: earlier)
        }
        let isWanted = synchronizer.options.downloadsVideos || file != nil
        let isDayWithoutPicture = earlier?.picture == nil && earlier?.removed == nil
        let isInScope = scope == .all || isDayWithoutPicture
        return isWanted && isInScope ? .download(unless: nil) : .none
    }

    /// The request for a `video` that is in the tree, if NASA may have another one now.
    private func requestForReplacement(
        of video: VideoRecord, at address: String, after earlier: DayRecord
    ) -> VideoRequest {
        guard synchronizer.options.downloadsVideos, scope == .all else { return .none }
        guard video.url == address else { return .download(unless: nil) }
        // If the server names no version, each change of the article would download a large file again.
        guard let known = video.version, earlier.isArticleModified(in: entry) else { return .none }
        return .download(unless: known)
    }

    /// Downloads the video at one address, unless it still has the version `known`.
    private func downloadVideo(
        at address: String, unless known: FileVersion?, after earlier: DayRecord?
    ) async throws -> FileUpdate<VideoRecord> {
        let name = UnfinishedDownloads.draft(of: entry.day, "video")
        guard
            let download = try await download(address, as: name, isVideo: true, unless: known)
        else { return .unchanged }
        let response = download.response
        var file = RecordedFile(path: "", bytes: response.bytes, sha256: response.sha256)
        file.path = try store.freePath(
            of: entry, download.header.type, for: file, after: earlier)
        let video = VideoRecord(
            url: address, file: file, etag: response.etag, lastModified: response.lastModified)
        let isSame = known != nil && file.sha256 == earlier?.video?.file?.sha256
        return FileUpdate(record: video, file: isSame ? nil : download.file)
    }
}
