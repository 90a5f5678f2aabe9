internal import CInotifyTools
internal import Glibc
internal import Synchronization

/// The inotify instance of libinotifytools.
///
/// The library has global state: a process has one instance at a time, and one thread at a time uses it. It adds and
/// finds watches, and reads one event at a time; a comment in place of each other function names its defect.
final class Inotify {
    private static let isInUse = Atomic(false)

    /// Can be read when there are events; read all by ``next()``, as the library buffers some.
    let descriptor: CInt
    private var pathCount: UInt32 = 0
    /// The watches that were set, also those that have ended: the library keeps the path of each.
    private(set) var watchCount = 0

    init() throws(WatchObstacle) {
        guard !Self.isInUse.exchange(true, ordering: .acquiring) else { throw .inUse }
        do {
            descriptor = try Self.initialize()
        } catch {
            Self.isInUse.store(false, ordering: .releasing)
            throw error
        }
        // The library's buffer survives the cleanup: it may hold events of an earlier instance.
        while next() != nil {}
    }

    deinit {
        inotifytools_cleanup()
        Self.isInUse.store(false, ordering: .releasing)
    }

    /// Watches the directory with the descriptor `directory`.
    ///
    /// - Returns: The watch descriptor; `nil` if the directory is watched already.
    func watch(_ directory: CInt, for kinds: InotifyEvent.Kinds) throws(WatchObstacle) -> Int32? {
        let path = uniquePath(of: directory)
        // No events of removed files that are still open; EEXIST instead of a changed watch.
        let flags = IN_EXCL_UNLINK | IN_MASK_CREATE
        guard unsafe inotifytools_watch_file(path, kinds.rawValue | flags) != 0 else {
            let code = inotifytools_error()
            if code == EEXIST { return nil }
            throw code == ENOSPC ? .watches : .failed(SystemError("watch", path: path, code: code))
        }
        watchCount += 1
        return unsafe inotifytools_wd_from_filename(path)
    }

    /// Removes a watch, unless the kernel has ended it.
    ///
    /// The library's own function prints a line for a watch that has ended.
    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// Reads the next event; returns `nil` at once if there is none.
    func next() -> InotifyEvent? {
        // For more than one event the library waits in a busy loop.
        unsafe inotifytools_next_events(0, 1).map { InotifyEvent(copying: $0) }
    }

    /// Returns a path of the open directory that the library has not seen before.
    ///
    /// The library finds a watch descriptor by its path, and frees the paths of ended watches, 264 bytes each, with
    /// the instance alone. So a counter is appended in binary, by names that do not change the path: `/` is 0 and `/.` is 1.
    private func uniquePath(of directory: CInt) -> String {
        pathCount += 1
        let digits = (0..<UInt32.bitWidth).map { pathCount & (1 << $0) == 0 ? "/" : "/." }
        return "/proc/self/fd/\(directory)\(digits.joined())/"
    }

    /// Starts the library and returns its descriptor, which it does not publish.
    private static func initialize() throws(WatchObstacle) -> CInt {
        let before = try instances()
        guard inotifytools_initialize() != 0 else {
            // EMFILE with free descriptors means the limit of inotify instances.
            throw errno == EMFILE
                ? .instances
                : .failed(SystemError("inotify_init", path: "inotify", code: errno))
        }
        do throws(WatchObstacle) {
            let new = try instances().subtracting(before)
            // There is one: nothing else in this process uses inotify. The library calls select(2), which aborts
            // the process for a larger number.
            guard let descriptor = new.first, descriptor < FD_SETSIZE else { throw .descriptors }
            // These calls do not fail for an open descriptor; a read must never block the watcher.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return descriptor
        } catch {
            inotifytools_cleanup()
            throw error
        }
    }

    /// The descriptors of this process that are inotify instances.
    private static func instances() throws(WatchObstacle) -> Set<CInt> {
        do throws(SystemError) {
            let folder = try Directory(opening: "/proc/self/fd")
            // One that another thread has closed meanwhile has no target.
            let names = try folder.textNames()
                .filter { folder.target(of: $0) == "anon_inode:inotify" }
            return Set(names.compactMap { CInt($0) })
        } catch {
            throw WatchObstacle(scanError: error) ?? .failed(error)
        }
    }
}
