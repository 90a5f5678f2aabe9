internal import Glibc

/// Reads the files and the names in a directory.
extension Directory {
    // MARK: Files

    /// Opens the file `name` for reading; a fifo or a device does not block.
    package func openToRead(_ name: some PathBytes) throws(SystemError) -> FileDescriptor {
        try open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Opens the regular file at `relative`.
    ///
    /// - Throws: ``SystemError``; its ``SystemError/cause`` is `invalid` for a fifo, whose opening would wait for a writer, or
    ///   a device, which has no end.
    package func openFile(
        _ relative: String, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let file = try open(relative, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
        _ = try sizeOfRegularFile(file, relative)
        return file
    }

    /// Reads the file at `relative`; `nil` if it does not exist; fails with `EFBIG` above `limit` bytes.
    package func read(_ relative: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8]? {
        guard let file = try ifPresent(openToRead(relative)) else { return nil }
        let size = try sizeOfRegularFile(file, relative)
        return try file.readToEnd(limit: limit, size: size, path: pathOf(relative))
    }

    /// The size of the open `file` at `relative`, in bytes; fails with `ENXIO` if it is no regular file.
    private func sizeOfRegularFile(
        _ file: borrowing FileDescriptor, _ relative: String
    ) throws(SystemError) -> Int {
        let status = try file.status(path: pathOf(relative))
        guard status.kind == .file else {
            throw SystemError("open", path: pathOf(relative), code: ENXIO)
        }
        return status.size
    }

    // MARK: Names

    /// Reads the names in the directory without `.` and `..`, unordered.
    package func names() throws(SystemError) -> [[UInt8]] {
        try DirectoryReader(beneath: self).names()
    }

    /// Reads the names in the directory at `relative`; returns `nil` if it does not exist, see ``ifExists(_:)``.
    ///
    /// Entries of the types `excluded` are left out, unless their type cannot be read.
    package func names(
        in relative: some PathBytes, except excluded: Set<FileStatus.FileType> = []
    ) throws(SystemError) -> [[UInt8]]? {
        try ifExists(
            DirectoryReader(opening: relative.pathBytes, beneath: self).names(except: excluded))
    }

    /// The items in the directory at `relative`, `nil` if it does not exist; reports items whose status cannot be read.
    package func items(
        in relative: String, reportingUnreadable report: (_ name: [UInt8], SystemError) -> Void
    ) throws(SystemError) -> [DirectoryItem]? {
        try ifExists(
            DirectoryReader(opening: relative.pathBytes, beneath: self)
                .items(reportingUnreadable: report))
    }

    /// Reads the names in the directory that are UTF-8, as all names of the mirror are.
    package func textNames() throws(SystemError) -> [String] {
        try names().compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Reads the names in the directory at `path`; none if it does not exist or is not a directory.
    package func textNames(in path: String) throws(SystemError) -> [String] {
        do {
            return try folder(path)?.textNames() ?? []
        } catch  where error.isNotDirectory {
            return []
        }
    }
}
