internal import CLinux
internal import Glibc

/// What can be done with names that somebody else chose: any bytes but a slash and a zero.
///
/// Each is one name in this very directory, and no call follows it where it is a link.
extension Folder {
    /// The directory `name`, `nil` where there is none.
    package func folder(bytes name: [UInt8]) throws(SystemError) -> Folder? {
        do {
            let descriptor = try open(bytes: name, O_RDONLY | O_DIRECTORY)
            return Folder(descriptor, path: pathOf(bytes: name))
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Opens the file `name` as openat2(2) does.
    package func open(bytes name: [UInt8], _ flags: CInt) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try retryingInterrupts("open", path: pathOf(bytes: name)) {
                unsafe name.withCString {
                    unsafe clinux_open_beneath(descriptor.rawValue, $0, flags, 0)
                }
            })
    }

    /// Opens the file `name` to read, without waiting for anything a fifo or a device waits for.
    package func openToRead(bytes name: [UInt8]) throws(SystemError) -> FileDescriptor {
        try open(bytes: name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// What `name` stands for, a link itself; `nil` where there is nothing.
    package func status(bytes name: [UInt8]) throws(SystemError) -> FileStatus? {
        var status = stat()
        do {
            try retryingInterrupts("stat", path: pathOf(bytes: name)) {
                unsafe name.withCString {
                    unsafe fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW)
                }
            }
        } catch  where error.code == ENOENT {
            return nil
        }
        return FileStatus(status)
    }

    /// Where the symbolic link `name` leads, as it was written; `nil` where it is no link.
    package func target(bytes name: [UInt8]) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe name.withCString {
            unsafe readlinkat(descriptor.rawValue, $0, &buffer, buffer.count)
        }
        return count < 0 ? nil : buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    /// Makes the symbolic link `name`; fails with `EEXIST` where something has the name.
    package func symlink(bytes name: [UInt8], to target: [UInt8]) throws(SystemError) {
        try retryingInterrupts("symlink", path: pathOf(bytes: name)) {
            unsafe name.withCString { name in
                unsafe target.withCString {
                    unsafe symlinkat($0, descriptor.rawValue, name)
                }
            }
        }
    }

    /// Renames `name`, which is ours, into `other`, replacing what has that name there.
    package func rename(
        _ name: String, to other: Folder, bytes newName: [UInt8]
    )
        throws(SystemError)
    {
        try retryingInterrupts("rename", path: other.pathOf(bytes: newName)) {
            unsafe newName.withCString {
                unsafe renameat(descriptor.rawValue, name, other.descriptor.rawValue, $0)
            }
        }
    }

    /// Renames `name` into `other`; fails with `EEXIST` rather than replace.
    package func renameAside(
        _ name: String, to other: Folder, as newName: String
    ) throws(SystemError) {
        try retryingInterrupts("rename", path: "\(other.path)/\(newName)") {
            unsafe clinux_rename_noreplace(
                descriptor.rawValue, name, other.descriptor.rawValue, newName)
        }
    }

    /// Gives `name`, which is ours, and `newName` in `other` what the other had, in one step.
    ///
    /// - Throws: ``SystemError``; `ENOENT` where there is no `newName`, `EINVAL` where the file system
    ///   cannot do it.
    package func exchange(
        _ name: String, with other: Folder, bytes newName: [UInt8]
    ) throws(SystemError) {
        try retryingInterrupts("exchange", path: other.pathOf(bytes: newName)) {
            unsafe newName.withCString {
                unsafe clinux_exchange(descriptor.rawValue, name, other.descriptor.rawValue, $0)
            }
        }
    }

    /// Makes the directory `name`, on the disk before this returns.
    package func makeFolder(bytes name: [UInt8]) throws(SystemError) -> Folder {
        try retryingInterrupts("mkdir", path: pathOf(bytes: name)) {
            unsafe name.withCString { unsafe mkdirat(descriptor.rawValue, $0, 0o755) }
        }
        try synchronize()
        let made = try open(bytes: name, O_RDONLY | O_DIRECTORY)
        return Folder(made, path: pathOf(bytes: name))
    }

    /// Gives the file `name` a second name; fails with `EEXIST` where something has that.
    package func link(
        bytes name: [UInt8], to other: Folder, as newName: String
    ) throws(SystemError) {
        try retryingInterrupts("link", path: "\(other.path)/\(newName)") {
            unsafe name.withCString {
                unsafe linkat(descriptor.rawValue, $0, other.descriptor.rawValue, newName, 0)
            }
        }
    }

    /// Removes the file or link `name`; that it is gone already is no error.
    package func remove(bytes name: [UInt8]) throws(SystemError) {
        do {
            try retryingInterrupts("unlink", path: pathOf(bytes: name)) {
                unsafe name.withCString { unsafe unlinkat(descriptor.rawValue, $0, 0) }
            }
        } catch  where error.code == ENOENT {
            // Gone is what was asked for.
        }
    }

    /// Removes the empty directory `name`.
    package func removeFolder(bytes name: [UInt8]) throws(SystemError) {
        try retryingInterrupts("rmdir", path: pathOf(bytes: name)) {
            unsafe name.withCString {
                unsafe unlinkat(descriptor.rawValue, $0, AT_REMOVEDIR)
            }
        }
    }

    private func pathOf(bytes name: [UInt8]) -> String {
        "\(path)/\(String(decoding: name, as: UTF8.self))"
    }
}

extension [UInt8] {
    /// Runs `body` with these bytes as C has them, ended by a zero.
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = map { CChar(bitPattern: $0) } + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            // The zero is always there.
            guard let start = buffer.baseAddress else { fatalError("a buffer without bytes") }
            return unsafe body(start)
        }
    }
}
