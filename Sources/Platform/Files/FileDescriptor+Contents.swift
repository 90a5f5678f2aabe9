internal import CLinux
internal import Glibc

/// Reads, hashes and copies the contents of open files.
extension FileDescriptor {
    /// The text of a small file that the kernel writes, in proc(5) or sysfs(5); `nil` if it cannot be read.
    static func textOfKernel(_ path: String) -> String? {
        let bytes = try? FileDescriptor(opening: path, O_RDONLY)
            .readToEnd(limit: 16 << 20, path: path)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads at most `limit` bytes from the beginning of the file.
    package func readStart(limit: Int, path: String) throws(SystemError) -> [UInt8] {
        try readPart(limit, at: 0, path: path)
    }

    /// Reads at most `limit` bytes from the end of the file.
    package func readEnd(limit: Int, path: String) throws(SystemError) -> [UInt8] {
        try readPart(limit, at: max(0, status(path: path).size - limit), path: path)
    }

    /// Reads `limit` bytes from `offset` on, fewer at the end of the file.
    package func readPart(_ limit: Int, at offset: Int, path: String) throws(SystemError) -> [UInt8]
    {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let added = try retryingInterrupts("read", path: path) {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe pread(
                        rawValue, $0.baseAddress?.advanced(by: count), limit - count,
                        offset + count)
                }
            }
            guard added > 0 else { break }
            count += added
        }
        return count == limit ? bytes : Array(bytes[..<count])
    }

    /// Returns the SHA-256 of the whole file; see sha256sum(1).
    ///
    /// - Throws: ``SystemError``, as ``readChunks(path:limit:stopsWithTask:_:)`` does.
    package func sha256(path: String, limit: Int) throws(SystemError) -> String {
        var hash = SHA256()
        try unsafe readChunks(path: path, limit: limit, stopsWithTask: true) { chunk in
            unsafe hash.update(chunk)
            return true
        }
        return hash.hexDigest()
    }

    /// Clones the contents of `source` into this empty file without copying blocks; see ioctl_ficlone(2).
    ///
    /// - Returns: `false` if the file system does not support it; nothing was written.
    package func reflink(from source: borrowing FileDescriptor) -> Bool {
        clinux_clone(source.rawValue, rawValue) == 0
    }

    /// Writes all bytes of `source` at the current position, without a check of the free space.
    ///
    /// - Throws: ``SystemError``, as ``readChunks(path:limit:stopsWithTask:_:)`` does.
    func copy(from source: borrowing FileDescriptor, path: String, limit: Int) throws(SystemError) {
        try unsafe source.readChunks(path: path, limit: limit, stopsWithTask: true) {
            chunk throws(SystemError) in
            try unsafe write(Array(chunk), path: path)
            return true
        }
    }

    /// Returns the SHA-256 of a file that is not read again soon, which the page cache need not keep.
    ///
    /// `didRead` is called with the length of each chunk; if it returns `false`, the result is `nil`.
    package func sha256ReadingOnce(
        path: String, limit: Int, _ didRead: (Int) -> Bool
    ) throws(SystemError) -> String? {
        let isCached = clinux_is_cached(rawValue) == 1
        if !isCached { posix_fadvise(rawValue, 0, 0, POSIX_FADV_SEQUENTIAL) }
        defer { if !isCached { posix_fadvise(rawValue, 0, 0, POSIX_FADV_DONTNEED) } }
        var hash = SHA256()
        let isWhole = try unsafe readChunks(path: path, limit: limit) { chunk in
            unsafe hash.update(chunk)
            return didRead(chunk.count)
        }
        return isWhole ? hash.hexDigest() : nil
    }

    /// How many bytes are read between two signs of life, and two checks whether the task is cancelled.
    private static let bytesBetweenChecks = 16 << 20

    /// Calls `body` with the contents in chunks until it returns false; returns whether all was read.
    ///
    /// A file that somebody lets grow without end is read up to the size that it had first.
    ///
    /// - Throws: ``SystemError``; `EFBIG` if the file has more than `limit` bytes,
    ///   ``SystemError/isGrowing`` if it grew meanwhile, `ECANCELED` if `stopsWithTask` and the task is
    ///   cancelled while a large file is read.
    @discardableResult
    private func readChunks(
        path: String, limit: Int, stopsWithTask: Bool = false,
        _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Bool
    ) throws(SystemError) -> Bool {
        let size = try status(path: path).size
        // mutation test: size-limit
        guard size <= limit else { throw SystemError("read", path: path, code: EFBIG) }
        // malloc maps and unmaps larger buffers for each file; see mallopt(3) and prepareProcess.
        return try unsafe withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) {
            buffer throws(SystemError) in
            var offset = 0
            while true {
                if offset % Self.bytesBetweenChecks == 0 { Heartbeat.current?.signal() }
                if stopsWithTask, offset >= Self.bytesBetweenChecks, Task.isCancelled {
                    throw SystemError("read", path: path, code: ECANCELED)
                }
                let count = try retryingInterrupts("read", path: path) {
                    unsafe pread(rawValue, buffer.baseAddress, buffer.count, offset)
                }
                guard count > 0 else { return true }
                // mutation test: growing-file
                guard offset + count <= size else {
                    throw SystemError("read", path: path, code: SystemError.growing)
                }
                guard try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                    return false
                }
                offset += count
            }
        }
    }
}
