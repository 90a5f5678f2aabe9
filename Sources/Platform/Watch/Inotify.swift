internal import CInotifyTools
internal import Glibc
internal import Synchronization

/// An instance of inotify(7), by the library libinotifytools: it sets watches on directories, and reads their events.
///
/// ``WatchedTree`` uses it for `favorites/`. The library has global state. So there is one instance at a time in a process, and
/// one thread at a time may use it. Where this class works around a defect of the library, a comment says so.
final class Inotify {
    private static let isInUse = Atomic(false)

    /// Can be read when there are events.
    ///
    /// ``next()`` must then be called until it returns `nil`, because the library buffers events.
    let descriptor: CInt
    /// How many paths ``uniquePath(of:)`` has made.
    private var pathCount: UInt32 = 0
    /// How many watches were set, including those that have ended, because the library keeps the paths of all.
    private(set) var watchesEverSet = 0

    /// Fails with ``WatchObstacle/inUse`` while there is another instance.
    init() throws(WatchObstacle) {
        guard !Self.isInUse.exchange(true, ordering: .acquiring) else { throw .inUse }
        do {
            descriptor = try Self.openLibrary()
        } catch {
            Self.isInUse.store(false, ordering: .releasing)
            throw error
        }
        // The buffer of the library may still hold events of an earlier instance.
        while next() != nil {}
    }

    deinit {
        inotifytools_cleanup()
        Self.isInUse.store(false, ordering: .releasing)
    }

    // MARK: Watches

    /// Watches the directory with the descriptor `directory`.
    ///
    /// - Returns: The number of the watch, which its events have; `nil` if the directory is watched already.
    func watch(_ directory: CInt, for kinds: InotifyEvent.Kinds) throws(WatchObstacle) -> Int32? {
        let path = uniquePath(of: directory)
        // With IN_EXCL_UNLINK, there are no events of files that were removed while they were open. With IN_MASK_CREATE, a
        // second watch of one directory fails with EEXIST, and leaves the first one as it is.
        let flags = IN_EXCL_UNLINK | IN_MASK_CREATE
        let isSet = unsafe inotifytools_watch_file(path, kinds.rawValue | flags) != 0
        guard isSet else {
            let code = inotifytools_error()
            if code == EEXIST { return nil }
            if code == ENOSPC { throw .watches }
            // The error names the path of the directory, because nobody knows the one that is made here.
            throw .failed(SystemError("watch", path: resolvedPath(path), code: code))
        }
        watchesEverSet += 1
        return unsafe inotifytools_wd_from_filename(path)
    }

    /// Removes a watch; one that the kernel has ended is ignored.
    ///
    /// This is a call of the kernel, because the library's own function would print a line about an ended watch.
    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// A path of the open directory that the library has not seen before.
    ///
    /// The library finds a watch by its path, and keeps the paths of ended watches. So no path may be used twice. This one ends
    /// with ``pathCount`` as a binary number. Its digits are `/` for 0 and `/.` for 1, which do not change where the path leads.
    private func uniquePath(of directory: CInt) -> String {
        pathCount += 1
        let digits = (0..<UInt32.bitWidth).map { pathCount & (1 << $0) == 0 ? "/" : "/." }
        return "/proc/self/fd/\(directory)\(digits.joined())/"
    }

    // MARK: Events

    /// Reads the next event; returns `nil` at once if there is none.
    func next() -> InotifyEvent? {
        let noTimeout = 0
        // For more than one event, the library would wait in a busy loop.
        let oneEvent: CInt = 1
        return unsafe inotifytools_next_events(noTimeout, oneEvent).map {
            InotifyEvent(copying: $0)
        }
    }

    // MARK: The library

    /// Starts the library, and returns its descriptor, which no function of the library returns.
    private static func openLibrary() throws(WatchObstacle) -> CInt {
        let earlier = try instances()
        guard inotifytools_initialize() != 0 else {
            // There are free descriptors, because the last line has just used one. So EMFILE means the limit of instances.
            throw errno == EMFILE
                ? .instances
                : .failed(SystemError("inotify_init", path: "inotify", code: errno))
        }
        do throws(WatchObstacle) {
            // There is one new instance, because nothing else in this process uses inotify. The library calls select(2), which
            // would abort the process for a descriptor that is not below FD_SETSIZE.
            let new = try instances().subtracting(earlier)
            guard let descriptor = new.first, descriptor < FD_SETSIZE else { throw .descriptors }
            // A read must never block the watcher. These calls do not fail for an open descriptor.
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
            // If another thread has closed a descriptor meanwhile, it is no longer a link, and has no target.
            let names = try folder.textNames()
                .filter { folder.target(of: $0) == "anon_inode:inotify" }
            return Set(names.compactMap { CInt($0) })
        } catch {
            throw WatchObstacle(scanError: error) ?? .failed(error)
        }
    }
}
