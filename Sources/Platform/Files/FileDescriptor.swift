internal import CLinux
internal import Glibc

/// An open file, closed when this value is released; each `path` is for errors only.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens `path` as open(2) does, with `O_CLOEXEC`; the umask limits the mode 0644 of a new file.
    package init(opening path: String, _ flags: CInt) throws(SystemError) {
        rawValue = try retryingInterrupts("open", path: path) {
            unsafe open(path, flags | O_CLOEXEC, 0o644)
        }
    }

    /// Creates an empty file in memory without a path, freed with its last descriptor; see memfd_create(2).
    package init(inMemory name: String) throws(SystemError) {
        rawValue = try retryingInterrupts("memfd_create", path: name) {
            unsafe clinux_open_in_memory(name)
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

    /// Reads from the current position to the end of the file; fails with `EFBIG` after more than `limit` bytes.
    ///
    /// After exactly `size` bytes, that of a regular file, the end is not looked for; 0 stands for a size that is not known.
    package func readToEnd(
        limit: Int, size: Int = 0, path: @autoclosure () -> String
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // Most files, such as records, fit into this; allocating a larger buffer takes longer than reading them.
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

    package func status(path: @autoclosure () -> String) throws(SystemError) -> FileStatus {
        var status = stat()
        try retryingInterrupts("fstat", path: path()) { unsafe fstat(rawValue, &status) }
        return FileStatus(status)
    }

    /// Sets the times of access and modification, in seconds since 1970, where the disk lets this user.
    ///
    /// No file fails for its time. Whether a disk keeps times: ``Directory/supports(_:prefix:)``.
    package func setModified(_ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = unsafe futimens(rawValue, times)
    }

    /// The bytes of the extended attribute `name`, at most 64 KiB, the maximum of Linux.
    func attributeBytes(_ name: String) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = unsafe clinux_get_attribute(rawValue, name, &buffer, buffer.count)
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Sets the mode of the file, regardless of the umask.
    package func setMode(_ mode: UInt32, path: String) throws(SystemError) {
        try retryingInterrupts("fchmod", path: path) { fchmod(rawValue, mode) }
    }

    /// Starts to write the bytes of the file to the disk, and does not wait; see sync_file_range(2).
    func startWriting() { clinux_start_writing(rawValue) }

    /// Flushes the file or directory, where its file system can do that; see fsync(2).
    ///
    /// A failure other than an interrupt is final: the kernel reports it once, and a second call succeeds without
    /// the bytes.
    package func flush(path: String) throws(SystemError) {
        do throws(SystemError) {
            try requireFlush(path: path)
        } catch  where error.isUnsupported {
            // It is on the disk when the file system, such as that of VirtualBox's shares, wants.
        }
    }

    /// Flushes as ``flush(path:)``, and throws also where the file system cannot do that.
    package func requireFlush(path: String) throws(SystemError) {
        try retryingInterrupts("fsync", path: path) { fsync(rawValue) }
    }
}
