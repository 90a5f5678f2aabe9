internal import CInotifyTools
internal import Glibc
internal import Synchronization

/// The inotify instance of libinotifytools.
///
/// The library has global state, so that a process has one instance at a time, and one thread at a time uses it. Where a
/// function of the library has a defect, a comment names it, and this class does without that function.
final class Inotify {
    private static let isInUse = Atomic(false)

    /// Can be read when there are events; ``next()`` must read all of them, because the library buffers some.
    let descriptor: CInt
    private var pathCount: UInt32 = 0
    /// The number of watches that were ever set; the library keeps the paths of those that have ended.
    private(set) var watchCount = 0

    init() throws(WatchObstacle) {
        guard !Self.isInUse.exchange(true, ordering: .acquiring) else { throw .inUse }
        do {
            descriptor = try Self.initialize()
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

    /// Watches the directory with the descriptor `directory`.
    ///
    /// - Returns: The watch descriptor; `nil` if the directory is watched already.
    func watch(_ directory: CInt, for kinds: InotifyEvent.Kinds) throws(WatchObstacle) -> Int32? {
        let path = uniquePath(of: directory)
        // The first flag suppresses events of removed files that are still open. By the second one, a second watch fails with
        // EEXIST, and does not change the first.
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
        // The library would wait for more than one event in a busy loop.
        unsafe inotifytools_next_events(0, 1).map { InotifyEvent(copying: $0) }
    }

    /// Returns a path of the open directory that the library has not seen before.
    ///
    /// The library finds a watch by its path, and keeps the paths of ended watches, so that a path must not be used twice. The
    /// path ends with a counter in binary, whose digits do not change where it leads: `/` is 0 and `/.` is 1.
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
            // There is one new descriptor, because nothing else in this process uses inotify. The library calls select(2),
            // which aborts the process for a larger number.
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
            // A descriptor that another thread has closed meanwhile has no target.
            let names = try folder.textNames()
                .filter { folder.target(of: $0) == "anon_inode:inotify" }
            return Set(names.compactMap { CInt($0) })
        } catch {
            throw WatchObstacle(scanError: error) ?? .failed(error)
        }
    }
}

/// An event of a watched directory, or of a name in it; see inotify(7).
struct InotifyEvent: Hashable, Sendable {
    /// The bits of an event or of a watch.
    struct Kinds: OptionSet, Hashable, Sendable {
        let rawValue: Int32

        static let named = Kinds(rawValue: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        static let arrived = Kinds(rawValue: IN_MOVED_TO)
        static let written = Kinds(rawValue: IN_CLOSE_WRITE)
        static let attributes = Kinds(rawValue: IN_ATTRIB)
        /// Events were lost.
        static let overflow = Kinds(rawValue: IN_Q_OVERFLOW)
        /// The watch has ended: it was removed, or the directory was deleted.
        static let ended = Kinds(rawValue: IN_IGNORED)
        /// The event is about a directory.
        static let folder = Kinds(rawValue: IN_ISDIR)
    }

    /// The watch descriptor, `-1` for an overflow.
    let watch: Int32
    let kinds: Kinds
    /// The name in the directory; empty for an event of the directory itself.
    let name: [UInt8]
}

extension InotifyEvent {
    /// Copies the event: the library reuses its buffer.
    @safe init(copying event: UnsafePointer<inotify_event>) {
        let text = unsafe inotifytools_event_name(event)
        watch = unsafe event.pointee.wd
        kinds = unsafe Kinds(rawValue: Int32(bitPattern: event.pointee.mask))
        name =
            unsafe text.map {
                unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            } ?? []
    }
}

extension Directory {
    /// How long the event of a new file in the directory takes; `nil` if none comes within `limit`.
    ///
    /// The file is a temporary one, whose name begins with `prefix`. A process has one watcher at a time.
    ///
    /// - Throws: ``WatchObstacle``, ``SystemError`` or `CancellationError`.
    package func delayOfEvent(within limit: Duration, prefix: String) async throws -> Duration? {
        let inotify = try Inotify()
        _ = try inotify.watch(descriptor.rawValue, for: .named)
        let start = ContinuousClock.now
        // The file is removed at once.
        _ = try AtomicFile(prefix, in: self)
        while inotify.next() == nil {
            guard start.duration(to: .now) < limit else { return nil }
            try await CancellableContinuation().wait(
                onReadable: inotify.descriptor, by: start + limit)
        }
        return start.duration(to: .now)
    }
}
