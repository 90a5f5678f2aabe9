internal import APOD
package import MediaFormat
package import Platform

/// A picture or video file that another program downloaded, after its header and its end were checked.
///
/// `adopt` imports such files. The mark `mutation test: …` is for Tests/Mutants.
package struct CheckedFile {
    package let header: MediaHeader
    package let bytes: Int
    package let sha256: String

    /// Checks `file`; `nil` if it is cut off, if it is no picture or video, or if it is larger than ``Layout/largestFile``.
    package init?(_ file: borrowing FileDescriptor, path: String) throws(SystemError) {
        let status = try file.status(path: path)
        guard status.size <= Layout.largestFile,
            case .success(let header) = try MediaHeader.reading(
                whole: file, path: path,
                check: { header throws(MediaHeader.Refusal) in try header.checkSize() })
        else { return nil }
        self.header = header
        bytes = status.size
        sha256 = try file.sha256(path: path, limit: status.size)
    }

    /// Whether its proportions differ by more than 5 % from those that NASA announces in `entry`: it is another picture.
    ///
    /// If NASA announces 4000 × 3000 pixels, a copy of 1600 × 1200 has the same shape, and a logo of 500 × 500 has not.
    func hasOtherShape(than entry: Entry) -> Bool {
        guard let size = header.size, let announced = entry.media.pictures.first,
            let width = announced.width, let height = announced.height, width > 0, height > 0
        else { return false }
        let scaledWidth = Double(size.width) * Double(height)
        let scaledHeight = Double(size.height) * Double(width)
        return abs(scaledWidth - scaledHeight) > 0.05 * max(scaledWidth, scaledHeight)
    }
}

extension PictureRecord {
    /// Makes the record of a `file` that another program downloaded; the caller sets its path.
    ///
    /// It has no address of NASA, because its bytes were not compared with those there, see ``isImported``. It counts as
    /// reduced if NASA announces larger sizes alone.
    init(_ file: CheckedFile, of entry: Entry) {
        let size = file.header.size
        let addresses = entry.media.pictures
        let expected =
            addresses.first { size?.isAsAnnounced(at: $0) ?? false } ?? addresses.first
        self.init(
            file: RecordedFile(path: "", bytes: file.bytes, sha256: file.sha256),
            type: file.header.type, width: size?.width ?? 0, height: size?.height ?? 0,
            etag: nil, lastModified: nil, origin: "",
            isReduced: expected.flatMap { size?.isSmallerThanAnnounced(at: $0) } ?? false)
    }
}

extension MediaHeader {
    /// The header of `file` if it is a whole picture or video and `check` accepts the header; otherwise why it is refused.
    ///
    /// - Throws: ``SystemError`` if a byte cannot be read, because the file would seem to end there.
    package static func reading(
        whole file: borrowing FileDescriptor, path: String,
        check: (MediaHeader) throws(Refusal) -> Void = { _ throws(Refusal) in }
    ) throws(SystemError) -> Result<MediaHeader, Refusal> {
        try reading(file, path: path) { header, bytes throws(Refusal) in
            try check(header)
            // mutation test: media-end
            try header.checkEnd(of: bytes)
        }
    }

    /// The header of `file` if `check` accepts the header and the bytes; otherwise why it is refused.
    ///
    /// - Throws: As ``reading(whole:path:check:)``.
    package static func reading(
        _ file: borrowing FileDescriptor, path: String,
        check: (MediaHeader, MediaBytes) throws(Refusal) -> Void
    ) throws(SystemError) -> Result<MediaHeader, Refusal> {
        let bytes = MediaBytes(descriptor: file.rawValue)
        let header = Result { () throws(Refusal) in
            let header = try MediaHeader(reading: bytes)
            try check(header, bytes)
            return header
        }
        if let code = bytes.failure { throw SystemError("read", path: path, code: code) }
        return header
    }

    /// Reads the header of `file`, whose file offset is neither used nor moved.
    package init(reading file: borrowing FileDescriptor) throws(Refusal) {
        try self.init(reading: MediaBytes(descriptor: file.rawValue))
    }
}
