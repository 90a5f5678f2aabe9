package import FoundationEssentials
internal import MediaFormat
package import Platform

/// A picture or video as the record of its day describes it: path, size and hash of the contents.
package struct RecordedFile: Hashable, Sendable {
    /// Relative to the root of the tree.
    package var path: String
    /// The size in bytes.
    package var bytes: Int
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    /// When `--keep` removed the file; `nil` if it should be in the tree.
    package var removed: Date?

    package init(path: String, bytes: Int, sha256: String, removed: Date? = nil) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.removed = removed
    }
}

extension RecordedFile {
    /// The kind and size of the file, for people.
    package var words: String {
        "the \(MediaType(ofName: path)?.isPicture == false ? "video" : "picture") of \(counted(bytes, "byte"))"
    }
}

extension Directory {
    /// Whether the file at `path` has the recorded contents of `file`; `nil` if there is no regular file.
    package func hasContents(of file: RecordedFile, at path: String) throws(SystemError) -> Bool? {
        guard let status = try status(path), status.kind == .file else { return nil }
        // A file of another size is not read: it may be of any size.
        guard status.size == file.bytes else { return false }
        return try openToRead(path).sha256(path: path, limit: file.bytes) == file.sha256
    }
}

extension FileStatus.FileType {
    /// The type of an item, for people.
    package var words: String {
        switch self {
        case .file: "a file"
        case .directory: "a directory"
        case .symbolicLink: "a symbolic link"
        case .other: "a fifo, a socket or a device"
        }
    }
}
