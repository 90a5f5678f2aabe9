internal import Glibc

/// A failed system call, such as `open /srv/apod: Permission denied`, and what a user can do about it.
///
/// Most callers decide by ``cause`` and by the properties below, and not by the number. A cancelled task is reported in the
/// same form, and so is a file that grew while it was read.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as its manual page spells it.
    package let call: String
    /// The file or directory of the call, without the random number of a temporary file, so that two attempts have equal errors.
    package let path: String
    /// The error number; see errno(3).
    package let code: CInt
    /// Whether the file may be deleted, because the program can do without it; the ``remedy`` then says so.
    package let isOfDeletableFile: Bool

    package init(_ call: String, path: String, code: CInt, isOfDeletableFile: Bool = false) {
        self.call = call
        self.path = AtomicFile.isUniqueName(path) ? AtomicFile.withoutNumber(path) : path
        self.code = code
        self.isOfDeletableFile = isOfDeletableFile
    }

    /// This error, of a file that may be deleted.
    package var ofDeletableFile: SystemError {
        SystemError(call, path: path, code: code, isOfDeletableFile: true)
    }

    /// Whether the disk or the user's quota is full.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether a part of the path is not a directory, but a file, or a link, which is not followed.
    package var isNotDirectory: Bool { code == ELOOP || code == ENOTDIR }

    /// Whether the task was cancelled, so that the error says nothing about the file.
    package var isCancelled: Bool { code == ECANCELED }

    /// Whether every other file would fail as well: the machine lacks space, memory or descriptors, or the task was cancelled.
    ///
    /// Code that leaves out a file that cannot be read must throw such an error, or it would leave out all files.
    package var concernsEveryFile: Bool { cause == .shortage || isCancelled }

    /// Whether a flush failed, so that bytes of the file may be lost; fsync(2) reports that only once.
    package var isFailedFlush: Bool { call == "fsync" }

    /// Whether the file system lacks the call or its flag, so that the error says nothing about the file or the disk.
    package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

    /// The code that this program uses for a file that grew while it was read; read(2) itself never fails with it.
    package static let growing = ETXTBSY

    /// Whether the file grew while it was read.
    package var isGrowing: Bool { call == "read" && code == Self.growing }

    /// Whether no file can be moved to the path, or can get a second name there.
    private var isOfRename: Bool { call == "rename" || call == "link" }

    /// Whether the file system refuses to show where a link leads, for which no permission is needed; see readlink(2).
    ///
    /// sshfs of Debian refuses it by default for each link with `..`: see its option “contain_symlinks”.
    package var isOfUnreadableLink: Bool { call == "readlink" && code == EPERM }

    /// Whether the file system is mounted read-only.
    package var isReadOnly: Bool { code == EROFS }

    /// The error without the call and the path: `Permission denied`.
    package var reason: String {
        if isGrowing { return "it grew while it was read" }
        // The file is a mount that ``Directory`` does not enter.
        if code == EXDEV, !isOfRename { return "another file system is mounted there" }
        // mergerfs answers so for two folders of one mount, by its default policy “epmfs”.
        if code == EXDEV { return "it is on another file system, subvolume or mergerfs branch" }
        // The C library would call it “no such device or address”, although the file is there.
        if code == ENXIO { return "not a regular file" }
        return unsafe String(cString: strerror(code))
    }

    package var description: String { "\(call) \(path): \(reason)" }

    /// What a user can do; `nil` if that depends on what the caller does.
    package var remedy: String? {
        if call == "flock" {
            return
                "its file system locks no files: start the lock service (rpc.statd for NFS), or, if only this machine writes"
                + " the mirror, mount it with “local_lock=flock”"
        }
        let deletion = isOfDeletableFile ? ", or delete this file, which is made again" : ""
        return switch code {
        case EACCES:
            "give this user permission there or in a folder above, which “namei -l \(path.shellWord)” lists\(deletion)"
        case EPERM where isOfUnreadableLink:
            "mount it with “-o no_contain_symlinks”, if it is sshfs"
        case EPERM: "give this user permission there\(deletion)"
        case EIO, ESTALE, ETIMEDOUT: "check the disk\(deletion)"
        case ENOSPC:
            "free disk space, or lower --min-free; if “df -i” shows few free inodes, delete small files"
        case EDQUOT: "raise the quota, or delete files that count toward it"
        case EXDEV where isOfRename:
            "unmount it, and move its files into the folder itself; if it is on mergerfs, mount that with"
                + " “ignorepponrename=true”"
        case EXDEV: "unmount it, and move its files into the folder itself"
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
