package import FoundationEssentials
internal import MediaFormat
package import Platform

/// A picture or video file as the record of its day describes it, by path, size and hash.
///
/// A file in the tree with this size and hash is the downloaded one. One with other contents was damaged or edited.
package struct RecordedFile: Hashable, Sendable {
    /// Relative to the root of the tree.
    package var path: String
    /// The size in bytes.
    package var bytes: Int
    /// The hash of the contents: 64 lower-case hexadecimal digits.
    package var sha256: String
    /// When `--keep` removed the file; `nil` if it should be in the tree.
    package var removed: Date?

    package init(path: String, bytes: Int, sha256: String, removed: Date? = nil) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.removed = removed
    }

    /// What the file is, for people: “the picture of 48,213 bytes”.
    package var words: String {
        let isVideo = MediaType(ofName: path)?.isPicture == false
        return "the \(isVideo ? "video" : "picture") of \(counted(bytes, "byte"))"
    }
}

/// How the file at a path compares with a ``RecordedFile``.
package enum RecordedFileMatch {
    case same, different
    /// There is no item at the path, or one that is not a regular file.
    case noFile
}

extension Directory {
    /// Compares the contents of the file at `path` with those that `file` describes.
    package func match(
        of file: RecordedFile, at path: String
    ) throws(SystemError) -> RecordedFileMatch {
        guard let status = try status(path), status.kind == .file else { return .noFile }
        // A file of another size is not read, because it may be very large.
        guard status.size == file.bytes else { return .different }
        let sha256 = try openToRead(path).sha256(path: path, limit: file.bytes)
        return sha256 == file.sha256 ? .same : .different
    }

    /// Whether there is a regular file at `path` with the contents that `file` describes.
    package func hasContents(of file: RecordedFile, at path: String) throws(SystemError) -> Bool {
        try match(of: file, at: path) == .same
    }
}

extension String {
    /// Whether it is a SHA-256: 64 lower-case hexadecimal digits.
    package var isSHA256: Bool {
        // The bytes of the digits 0 to 9 and a to f.
        utf8.count == FileName.sha256Length
            && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
