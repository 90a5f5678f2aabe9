internal import Glibc

/// A system call that failed, and what it was asked to do.
package struct SystemError: Error, Hashable, Sendable {
    /// The name of the call, as its manual page spells it.
    package let call: String
    /// The file or directory the call was about.
    package let path: String
    /// The error number the call left behind; see errno(3).
    package let code: CInt

    package init(_ call: String, path: String, code: CInt) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// The disk, or the user's share of it, is full.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// This user may not.
    package var isForbidden: Bool { code == EACCES }

    /// The path leads through a link or something else that is no directory.
    package var isNoFolder: Bool { code == ELOOP || code == ENOTDIR }

    /// There is no free file descriptor, in the process or in the system.
    package var isNoDescriptor: Bool { code == EMFILE || code == ENFILE }

    /// Nobody may write there.
    package var isReadOnly: Bool { code == EROFS }

    /// This user may not, or nobody may.
    package var isRefusal: Bool { isReadOnly || code == EACCES || code == EPERM }

    /// Something that is no file has the name: a directory, a link, a fifo, a socket or a device.
    package var isNoFile: Bool { [EISDIR, ELOOP, ENXIO].contains(code) }

    /// What was to be read is too long to be what it should, or is no file.
    package var isDamage: Bool { [EFBIG, EISDIR, ELOOP, ENXIO].contains(code) }

    /// What went wrong, without where.
    ///
    /// What the C library calls “no such device or address” is a fifo, a socket or a device here.
    package var reason: String {
        code == ENXIO ? "not a regular file" : unsafe String(cString: strerror(code))
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "\(call) \(path): \(reason)"
    }
}

/// Calls `body` until it is not interrupted by a signal.
///
/// - Returns: What the call returned, never `-1`.
/// - Throws: ``SystemError`` naming `call` and `path`.
@discardableResult
package func retryingInterrupts<Result: FixedWidthInteger>(
    _ call: String, path: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        guard result == -1 else { return result }
        guard errno == EINTR else { throw SystemError(call, path: path(), code: errno) }
    }
}
