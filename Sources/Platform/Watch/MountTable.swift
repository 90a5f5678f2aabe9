internal import Glibc

/// Calls back whenever something is mounted or unmounted, without reading the table.
///
/// A file system that is mounted over a watched folder gives no event of inotify(7); the table does.
/// See proc_pid_mountinfo(5).
final class MountTable: Sendable {
    private let table: FileDescriptor
    private let interest: EventLoop.Interest

    /// `nil` where there is no proc(5).
    init?(onChange body: @escaping @Sendable () -> Void) {
        guard let table = try? FileDescriptor(opening: "/proc/self/mountinfo", O_RDONLY) else {
            return nil
        }
        interest = EventLoop.shared.onException(table.rawValue, body)
        self.table = table
    }

    deinit { interest.cancel() }
}
