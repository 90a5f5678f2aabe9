internal import Glibc

/// A failed system call: `open /srv/apod: Permission denied`; also a cancelled task, or a file that grew while it was read.
package struct SystemError: Error, Hashable, Sendable {
    /// The name of the call, as its manual page spells it.
    package let call: String
    /// The file or directory of the call; a temporary file without the number in its name, so that errors of several attempts
    /// are equal.
    package let path: String
    /// The error number; see errno(3).
    package let code: CInt

    package init(_ call: String, path: String, code: CInt) {
        self.call = call
        self.path = AtomicFile.isUniqueName(path) ? AtomicFile.withoutNumber(path) : path
        self.code = code
    }

    /// Whether the disk or the user's quota is full.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether a part of the path is a file or a link, which is not followed, instead of a directory.
    package var isNotDirectory: Bool { code == ELOOP || code == ENOTDIR }

    /// Whether the task was cancelled, so that the error says nothing about the file.
    package var isCancelled: Bool { code == ECANCELED }

    /// Whether a file could not be opened or read, but other files may be readable.
    package var isOfContents: Bool {
        ["open", "read"].contains(call) && cause != .shortage && !isCancelled
    }

    /// Whether a file could not be removed because of its permissions or attributes, or those of its directory.
    package var isOfRemoval: Bool { call == "unlink" && cause == .denied && !isReadOnly }

    /// Whether bytes could not be written to the disk, which fsync(2) reports once.
    package var isOfFlush: Bool { call == "fsync" }

    /// Whether the file system lacks the call or its flag, so that the error says nothing about the file or the disk.
    package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

    /// The code for a file that grew while it was read; read(2) itself never fails with it.
    package static let growing = ETXTBSY

    package var isGrowing: Bool { call == "read" && code == Self.growing }

    /// Whether the file is a mount that ``Directory`` does not enter.
    private var isMount: Bool { code == EXDEV && ["open", "stat"].contains(call) }

    package var isReadOnly: Bool { code == EROFS }

    /// The error without the call and the path.
    ///
    /// The C library's text for `ENXIO`, “no such device or address”, would mislead.
    package var reason: String {
        if isGrowing { return "it grew while it was read" }
        if isMount { return "another file system is mounted there" }
        return code == ENXIO ? "not a regular file" : unsafe String(cString: strerror(code))
    }

    /// What a user can do, if neither the disk nor its permissions are the cause.
    package var remedy: String? {
        switch code {
        case _ where call == "flock":
            "its file system locks no files: start the lock service (rpc.statd for NFS), or mount it with"
                + " “local_lock=flock”"
        case EMFILE: "raise the limit of open files (ulimit -n)"
        case ENFILE: "close other programs: this system cannot open more files (fs.file-max)"
        case ENOMEM: "close other programs, or raise the limit of memory"
        case ENAMETOOLONG: "choose a shorter path"
        case ELOOP: "replace the symbolic links in that path by what they lead to"
        default: nil
        }
    }

    /// The error with the remedy, if there is one.
    package var advice: String { remedy.map { "\(self); \($0)" } ?? "\(self)" }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "\(call) \(path): \(reason)"
    }
}

/// Makes a system call that returns -1 on failure, again if a signal interrupts it.
///
/// - Returns: The result of the call, never `-1`.
/// - Throws: ``SystemError`` naming `call` and `path`.
@discardableResult
package func retryingInterrupts<Result: SignedInteger>(
    _ call: String, path: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let code = errno
        guard code == EINTR else { throw SystemError(call, path: path(), code: code) }
    }
}
