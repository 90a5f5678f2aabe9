internal import CLinux
internal import Glibc

/// An open file or another kernel object, which is closed when this value is released; each `path` is for errors only.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens `path` as open(2) does with these `flags`; the umask limits the mode 0644 of a new file.
    package init(opening path: String, _ flags: CInt) throws(SystemError) {
        rawValue = try retryingInterrupts("open", path: path) {
            unsafe open(path, flags | O_CLOEXEC, 0o644)
        }
    }

    /// Creates an empty file in memory without a path, freed with its last descriptor; see memfd_create(2).
    package init(inMemory name: String) throws(SystemError) {
        rawValue = try retryingInterrupts("memfd_create", path: name) {
            unsafe clinux_memfd_create(name)
        }
    }

    deinit {
        close(rawValue)
    }

    /// Gives up ownership: the caller closes the descriptor.
    consuming func release() -> CInt {
        let descriptor = rawValue
        discard self
        return descriptor
    }

    /// Writes all of `bytes` at the current position.
    package func write(_ bytes: [UInt8], path: String) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try retryingInterrupts("write", path: path) {
                unsafe bytes[written...].withUnsafeBytes { rest in
                    unsafe Glibc.write(rawValue, rest.baseAddress, rest.count)
                }
            }
        }
    }

    /// Reads from the current position to the end of the file; fails with `EFBIG` if there are more than `limit` bytes.
    ///
    /// If the `size` of a regular file is known, giving it saves the last read, which would only find the end.
    package func readToEnd(
        limit: Int, size: Int? = nil, path: @autoclosure () -> String
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // Most files, such as records, fit into 16 KiB. Allocating a larger buffer takes longer than reading them. If a file
        // fills the first buffer, the next ones are larger.
        var room = 16 << 10
        while true {
            let count = try unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) {
                buffer throws(SystemError) in
                let count = try retryingInterrupts("read", path: path()) {
                    unsafe read(rawValue, buffer.baseAddress, room)
                }
                unsafe bytes.append(
                    contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return count
            }
            guard bytes.count <= limit else {
                throw SystemError("read", path: path(), code: EFBIG)
            }
            guard count > 0, bytes.count != size else { return bytes }
            if count == room { room = 64 << 10 }
        }
    }

    /// The status of the open file, even if its name now leads to another one.
    package func status(path: @autoclosure () -> String) throws(SystemError) -> FileStatus {
        var status = stat()
        try retryingInterrupts("fstat", path: path()) { unsafe fstat(rawValue, &status) }
        return FileStatus(status)
    }

    /// Sets the times of access and modification, in seconds since 1970; a failure is ignored, because the time is not vital.
    package func setModified(_ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = unsafe futimens(rawValue, times)
    }

    /// Sets the mode of the file, regardless of the umask.
    package func setMode(_ mode: UInt32, path: String) throws(SystemError) {
        try retryingInterrupts("fchmod", path: path) { fchmod(rawValue, mode) }
    }

    /// Lets the kernel begin to write the bytes of the file to the disk, without waiting for that; see sync_file_range(2).
    func startWriting() { clinux_start_writing(rawValue) }

    /// Flushes the file or directory, if its file system can do that; see fsync(2).
    ///
    /// After an error, the bytes must be written again: the kernel reports the error only once, so that a second call would
    /// succeed although the bytes are lost.
    package func flush(path: String) throws(SystemError) {
        do throws(SystemError) {
            try requireFlush(path: path)
        } catch  where error.isUnsupported {
            // Some file systems, such as shares of VirtualBox, write the file when they want.
        }
    }

    /// Flushes as ``flush(path:)``, but throws if the file system cannot do that.
    package func requireFlush(path: String) throws(SystemError) {
        try retryingInterrupts("fsync", path: path) { fsync(rawValue) }
    }
}
