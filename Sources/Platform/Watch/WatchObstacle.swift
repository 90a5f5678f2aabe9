internal import Glibc

/// Why a directory, or a part of it, cannot be watched for changes, so that it is scanned at intervals instead.
package enum WatchObstacle: Error, Hashable, Sendable {
    /// The user has no more inotify watches.
    case watches
    /// The user has no more inotify instances.
    case instances
    /// The process has too many open files.
    case descriptors
    /// This process already watches another directory.
    case inUse
    /// Any other error.
    case failed(SystemError)
}

extension WatchObstacle {
    /// The obstacle that an error of a scan means; `nil` if it means none, because the kernel will report the end of its cause.
    ///
    /// The watch of the parent reports changed permissions and names. After `EOVERFLOW`, which stands for too many names, all
    /// directories are watched nevertheless.
    init?(scanError error: SystemError) {
        switch error.code {
        case EACCES, ENOENT, ELOOP, ENOTDIR, EOVERFLOW, ENAMETOOLONG: return nil
        case EMFILE, ENFILE: self = .descriptors
        default: self = .failed(error)
        }
    }
}

extension WatchObstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .watches:
            "all inotify watches of this user are in use; raise fs.inotify.max_user_watches, see sysctl(8)"
        case .instances:
            "all inotify instances of this user are in use; raise fs.inotify.max_user_instances, see sysctl(8)"
        case .descriptors:
            "too many files are open; raise RLIMIT_NOFILE, or open fewer: inotify needs a descriptor below 1024"
        case .inUse:
            "this process already watches another directory"
        case .failed(let error):
            "\(error)"
        }
    }
}
