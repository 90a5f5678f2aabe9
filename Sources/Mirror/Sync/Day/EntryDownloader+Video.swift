internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The video of an entry, which only NASA's own address has as a file; others have a redirect page.
extension EntryDownloader {
    /// Downloads the video with `--videos`, also in place of one that has not its recorded size; without it in place of
    /// one that was damaged or lost.
    func updateVideo(after earlier: DayRecord?) async throws -> FileUpdate<VideoRecord> {
        guard scope != .textOnly, entry.media.videoIsFile, let address = entry.media.video else {
            return .unchanged
        }
        let downloadsVideos = synchronizer.options.downloadsVideos
        let file = earlier?.file(.video)
        var known: FileVersion?
        if let earlier, let video = earlier.video, let file,
            try store.tree.hasFile(file)
        {
            if video.url == address { known = video.version }
            // Without a version, each change of the article would download a large file.
            let mayBeReplaced =
                video.url != address || (known != nil && earlier.isArticleModified(in: entry))
            guard downloadsVideos, scope == .all, mayBeReplaced else { return .unchanged }
        } else {
            let hasNoFile = earlier?.picture == nil && earlier?.removed == nil
            guard downloadsVideos || file != nil, scope == .all || hasNoFile else {
                return .unchanged
            }
        }
        do {
            return try await downloadVideo(at: address, unless: known, after: earlier)
        } catch let problem as DayProblem {
            return FileUpdate(problem: problem)
        }
    }

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
