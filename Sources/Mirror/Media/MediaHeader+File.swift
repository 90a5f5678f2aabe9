package import MediaFormat
package import Platform

/// Reads the header of a picture or video from an open file, whose file offset is neither used nor moved.
///
/// The mark `mutation test: …` is for Tests/Mutants.
extension MediaHeader {
    /// The header of `file` if it is a whole picture or video and `check` accepts the header; otherwise why it is refused.
    ///
    /// - Throws: ``SystemError`` if a byte cannot be read. The file must not be refused then: it only seems to end there.
    package static func reading(
        whole file: borrowing FileDescriptor, path: String,
        check: ((MediaHeader) throws(Refusal) -> Void)? = nil
    ) throws(SystemError) -> Result<MediaHeader, Refusal> {
        try reading(file, path: path) { header, bytes throws(Refusal) in
            try check?(header)
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
        let result = Result { () throws(Refusal) in
            let header = try MediaHeader(reading: bytes)
            try check(header, bytes)
            return header
        }
        if let code = bytes.failure { throw SystemError("read", path: path, code: code) }
        return result
    }

    /// Reads the header of `file`; a byte that cannot be read counts as the end of the file.
    package init(reading file: borrowing FileDescriptor) throws(Refusal) {
        try self.init(reading: MediaBytes(descriptor: file.rawValue))
    }
}
