internal import CLinux
internal import Glibc

/// Reads, hashes and copies the contents of open files; each `path` is for errors only.
extension FileDescriptor {
    /// The text of a file in proc(5) or sysfs(5); `nil` if it cannot be read.
    static func kernelFile(_ path: String) -> String? {
        // Even the longest of them, the table of mounts, is far shorter.
        let limit = 16 << 20
        let bytes = try? FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: limit, path: path)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the first bytes of the file, at most `limit`.
    package func readStart(limit: Int, path: String) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let added = try retryingInterrupts("read", path: path) {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe pread(
                        rawValue, $0.baseAddress?.advanced(by: count), limit - count, count)
                }
            }
            guard added > 0 else { break }
            count += added
        }
        return count == limit ? bytes : Array(bytes[..<count])
    }

    /// Returns the SHA-256 of the whole file; see sha256sum(1).
    ///
    /// - Throws: ``SystemError``; `EFBIG` if the file has more than `limit` bytes, ``SystemError/isGrowing`` if it
    ///   grew meanwhile, ``SystemError/isCancelled`` if the task was cancelled and the file is large.
    package func sha256(path: String, limit: Int) throws(SystemError) -> String {
        var hash = SHA256()
        try unsafe readChunks(path: path, limit: limit) { chunk in unsafe hash.update(chunk) }
        return hash.hexDigest()
    }

    /// Clones the contents of `source` into this empty file without copying blocks; see ioctl_ficlone(2).
    ///
    /// - Returns: `false` if nothing was written, mostly because the file system does not support it.
    package func reflink(from source: borrowing FileDescriptor) -> Bool {
        clinux_ficlone(source.rawValue, rawValue) == 0
    }

    /// Writes all bytes of `source` at the current position.
    ///
    /// - Throws: ``SystemError`` of write(2), or for the reasons of ``sha256(path:limit:)``.
    func copy(from source: borrowing FileDescriptor, path: String, limit: Int) throws(SystemError) {
        try unsafe source.readChunks(path: path, limit: limit) { chunk throws(SystemError) in
            try unsafe write(Array(chunk), path: path)
        }
    }

    /// After so many bytes, a read checks whether its task is cancelled, so that a smaller file is always read to its end.
    private static let bytesBetweenChecks = 16 << 20
    /// The bytes of one read; malloc(3) would map and unmap memory for a larger buffer each time, see ``limitFreeMemory()``.
    private static let chunkSize = 32 << 10

    /// Calls `body` with the contents in chunks.
    ///
    /// A file that grows meanwhile may do so without end: it is an error, and `body` gets nothing beyond the first size. If the
    /// file gets shorter, it is read to its new end.
    ///
    /// - Throws: ``SystemError`` for the reasons of ``sha256(path:limit:)``, and what `body` throws.
    private func readChunks(
        path: String, limit: Int,
        _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let size = try status(path: path).size
        // mutation test: size-limit (see Tests/Mutants)
        guard size <= limit else { throw SystemError("read", path: path, code: EFBIG) }
        try unsafe withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 16) {
            buffer throws(SystemError) in
            var offset = 0
            var nextCheck = Self.bytesBetweenChecks
            while true {
                if offset >= nextCheck {
                    guard !Task.isCancelled else {
                        throw SystemError("read", path: path, code: ECANCELED)
                    }
                    nextCheck += Self.bytesBetweenChecks
                }
                let count = try retryingInterrupts("read", path: path) {
                    unsafe pread(rawValue, buffer.baseAddress, buffer.count, offset)
                }
                guard count > 0 else { return }
                // mutation test: growing-file
                guard offset + count <= size else {
                    throw SystemError("read", path: path, code: SystemError.growing)
                }
                try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        }
    }
}
