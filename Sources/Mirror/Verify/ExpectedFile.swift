internal import APOD
internal import Platform

/// A file that the record of a day promises.
struct ExpectedFile: Hashable {
    /// Relative to the root.
    let path: String
    /// What is expected, for people.
    let words: String
    /// `nil` if the record does not have it.
    let bytes: Int?
    /// `nil` if the record has no valid one: nothing can be compared with it.
    let sha256: String?
    /// Whether it is the page that opens a video.
    let isPage: Bool
}

extension DayRecord {
    /// The files that must be in the tree; only those with a valid path.
    var expectedFiles: [ExpectedFile] {
        var files: [ExpectedFile] = []
        func add(
            _ path: String?, _ extensions: [String], _ words: String, bytes: Int? = nil,
            sha256: String? = nil, isPage: Bool = false
        ) {
            guard let path, RecordRules.isPath(path, of: entry.day, extensions) else { return }
            let hash = sha256.flatMap { RecordRules.isHash($0) ? $0 : nil }
            files.append(
                ExpectedFile(path: path, words: words, bytes: bytes, sha256: hash, isPage: isPage))
        }
        if let picture, picture.removed == nil {
            add(
                picture.path, RecordRules.pictureExtensions,
                "the picture of \(counted(picture.bytes, "byte"))", bytes: picture.bytes,
                sha256: picture.sha256)
        }
        if let video, video.removed == nil {
            add(
                video.path, ["mp4"], "the video of \(counted(video.bytes ?? 0, "byte"))",
                bytes: video.bytes, sha256: video.sha256)
        }
        if removed == nil {
            add(video?.page, ["html"], "the page that opens the video", isPage: true)
        }
        return files
    }

    /// The page that opens the video, as this program writes it; `nil` if it may be of another one.
    var expectedPage: [UInt8]? {
        guard let video, video.path == nil else { return nil }
        return VideoRedirectPage(of: self)?.document
    }
}
