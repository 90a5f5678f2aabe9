internal import FoundationEssentials

// The files of a day: its picture or poster, and its video.

/// A file with the size and hash that its record has.
struct RecordedFile: Hashable, Sendable {
    let path: String
    let bytes: Int
    let sha256: String
    /// When retention removed the file.
    var removed: Date?
}

extension RecordedFile {
    init(_ picture: PictureRecord) {
        self.init(
            path: picture.path, bytes: picture.bytes, sha256: picture.sha256,
            removed: picture.removed)
    }

    /// Returns `nil` if the video was never downloaded.
    init?(_ video: VideoRecord) {
        guard let path = video.path, let bytes = video.bytes, let sha256 = video.sha256 else {
            return nil
        }
        self.init(path: path, bytes: bytes, sha256: sha256, removed: video.removed)
    }
}

extension DayRecord {
    enum FileKind: String, CaseIterable {
        case picture, video
    }

    /// The files in the tree.
    var files: [RecordedFile] { FileKind.allCases.compactMap { file($0) } }

    /// The file of that kind in the tree.
    func file(_ kind: FileKind) -> RecordedFile? {
        anyFile(kind).flatMap { $0.removed == nil ? $0 : nil }
    }

    /// The file of that kind that retention removed.
    func removedFile(_ kind: FileKind) -> RecordedFile? {
        anyFile(kind).flatMap { $0.removed == nil ? nil : $0 }
    }

    mutating func setRemoved(_ kind: FileKind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.removed = time
        }
    }

    private func anyFile(_ kind: FileKind) -> RecordedFile? {
        switch kind {
        case .picture: picture.map { RecordedFile($0) }
        case .video: video.flatMap { RecordedFile($0) }
        }
    }
}
