internal import APOD
internal import Platform

/// A file that the record of a day promises.
struct ExpectedFile: Hashable {
    enum Role {
        case picture, video
        /// The page that opens a video.
        case page
    }

    let role: Role
    /// Relative to the root.
    let path: String
    /// `nil` if the record does not have it.
    let bytes: Int?
    let sha256: String?

    /// What is expected, for people.
    var words: String {
        switch role {
        case .picture: "the picture of \(counted(bytes ?? 0, "byte"))"
        case .video: "the video of \(counted(bytes ?? 0, "byte"))"
        case .page: "the page that opens the video"
        }
    }
}

extension DayRecord {
    /// The files that must be in the tree; only those with a valid path.
    var expectedFiles: [ExpectedFile] {
        let day = entry.day
        var files: [ExpectedFile] = []
        if let picture, picture.removed == nil,
            RecordRules.isPath(picture.path, of: day, RecordRules.pictureExtensions)
        {
            files.append(
                ExpectedFile(
                    role: .picture, path: picture.path, bytes: picture.bytes,
                    sha256: picture.sha256.validHash))
        }
        if let video, let path = video.path, video.removed == nil,
            RecordRules.isPath(path, of: day, ["mp4"])
        {
            files.append(
                ExpectedFile(
                    role: .video, path: path, bytes: video.bytes, sha256: video.sha256?.validHash))
        }
        if removed == nil, let page = video?.page, RecordRules.isPath(page, of: day, ["html"]) {
            files.append(ExpectedFile(role: .page, path: page, bytes: nil, sha256: nil))
        }
        return files
    }

    /// The page that opens the video, as this program writes it; `nil` if it may be of another one.
    var expectedPage: [UInt8]? {
        guard let video, video.path == nil else { return nil }
        return VideoRedirectPage(of: self)?.document
    }
}

extension String {
    /// `nil` if it is no SHA-256: the record is damaged, and nothing can be compared with it.
    fileprivate var validHash: String? { RecordRules.isHash(self) ? self : nil }
}
