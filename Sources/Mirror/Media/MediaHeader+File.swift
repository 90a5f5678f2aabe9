package import MediaFormat
package import Platform

/// Reads the header of a picture or video, which has its type and its size in pixels, from an open file.
///
/// Downloads, imports and verifications find out in this way whether a file is a picture or video. The file offset is neither
/// used nor moved.
extension MediaHeader {
    /// Reads the header of `file`, and checks that the file has its end, so that it was not cut off.
    ///
    /// - Returns: The header if `check` accepts it; otherwise why the file is refused.
    /// - Throws: ``SystemError`` if a byte cannot be read. The file must not be refused then: it only seems to end there.
    package static func reading(
        whole file: borrowing FileDescriptor, path: String,
        check: ((MediaHeader) throws(Refusal) -> Void)? = nil
    ) throws(SystemError) -> Result<MediaHeader, Refusal> {
        try reading(file, path: path) { header, bytes throws(Refusal) in
            try check?(header)
            // mutation test: media-end (see Tests/Mutants)
            try header.checkEnd(of: bytes)
        }
    }

    /// Reads the header of `file`, whose end may be missing; returns it if `check` accepts it and the bytes of the file.
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
