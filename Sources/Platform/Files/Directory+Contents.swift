internal import Glibc

/// Opens and reads the files in a directory.
extension Directory {
    /// Opens the file `name` for reading, and does not wait if it is a fifo or a device.
    package func openToRead(_ name: some PathBytes) throws(SystemError) -> FileDescriptor {
        try open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Opens the regular file at `relative`, as open(2) does with these `flags`.
    ///
    /// - Throws: ``SystemError``; its ``SystemError/cause`` is `invalid` for a fifo, a device, or anything else but a file.
    package func openFile(
        _ relative: String, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let file = try open(relative, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
        _ = try sizeOfRegularFile(file, at: relative)
        return file
    }

    /// Reads the whole regular file at `relative`.
    ///
    /// - Returns: `nil` if the file does not exist.
    /// - Throws: ``SystemError``; `EFBIG` if the file has more than `limit` bytes, by default 64 MiB.
    package func read(_ relative: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8]? {
        guard let file = try ifPresent(openToRead(relative)) else { return nil }
        let size = try sizeOfRegularFile(file, at: relative)
        return try file.readToEnd(limit: limit, size: size, path: pathOf(relative))
    }

    /// The size in bytes of the open `file` at `relative`; fails with `ENXIO` if it is not a regular file.
    private func sizeOfRegularFile(
        _ file: borrowing FileDescriptor, at relative: String
    ) throws(SystemError) -> Int {
        let status = try file.status(path: pathOf(relative))
        guard status.kind == .file else {
            throw SystemError("open", path: pathOf(relative), code: ENXIO)
        }
        return status.size
    }
}
