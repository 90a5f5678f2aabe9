import Glibc
package import Platform

/// Notices whether anybody lists a directory, by inotify(7): each getdents64(2) is an access.
package final class DirectoryReads {
    private let events: FileDescriptor

    package init(of path: String) throws(SystemError) {
        events = FileDescriptor(
            owning: try retryingInterrupts("inotify_init1", path: path) {
                inotify_init1(O_NONBLOCK | O_CLOEXEC)
            })
        try retryingInterrupts("inotify_add_watch", path: path) {
            unsafe inotify_add_watch(events.rawValue, path, UInt32(IN_ACCESS))
        }
    }

    /// Whether the directory was listed since the last call.
    package func happened() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasEvents = false
        while unsafe read(events.rawValue, &buffer, buffer.count) > 0 { hasEvents = true }
        return hasEvents
    }
}
