internal import Glibc

/// Why not all of a folder can be watched, and what to do about it.
package enum WatchLimit: Error, Hashable, Sendable {
    /// The user's watches are used up.
    case watches
    /// The user's inotify instances are used up.
    case instances
    /// The process has too many files open.
    case descriptors
    /// Another folder is being watched by this process.
    case taken
    /// The kernel refused, or the folder could not be read.
    case failed(SystemError)
}

extension WatchLimit {
    /// What `error` keeps from being watched, `nil` where an event tells when it has passed.
    ///
    /// Permissions and names that change are seen in the folder above; of a folder that holds too much,
    /// each folder that was looked at is watched.
    init?(lookingFailedBy error: SystemError) {
        switch error.code {
        case EACCES, ENOENT, ELOOP, ENOTDIR, EOVERFLOW, ENAMETOOLONG: return nil
        default: self = error.isNoDescriptor ? .descriptors : .failed(error)
        }
    }
}

extension WatchLimit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .watches:
            "this user's inotify watches are used up: raise fs.inotify.max_user_watches, see sysctl(8)"
        case .instances:
            "this user's inotify instances are used up: raise fs.inotify.max_user_instances, see sysctl(8)"
        case .descriptors:
            "too many files are open: raise RLIMIT_NOFILE, or open fewer; none above 1023 can be watched"
        case .taken:
            "this process watches another folder already"
        case .failed(let error):
            "\(error)"
        }
    }
}
