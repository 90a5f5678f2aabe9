internal import Glibc

/// Why not all of a directory can be watched.
package enum WatchObstacle: Error, Hashable, Sendable {
    /// The user's watches are used up.
    case watches
    /// The user's inotify instances are used up.
    case instances
    /// The process has too many files open.
    case descriptors
    /// This process watches another directory.
    case inUse
    case failed(SystemError)
}

extension WatchObstacle {
    /// The obstacle behind an error of a scan; `nil` if an event will tell when the cause of the error has ended.
    ///
    /// The watch of the parent reports changed permissions and names. If a directory has too many items, all directories that
    /// were scanned are watched.
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
