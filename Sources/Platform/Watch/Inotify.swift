internal import CInotifyTools
internal import Glibc
internal import Synchronization

/// Watches directories with inotify(7), by the library libinotifytools.
///
/// The library has global state. So there is one instance at a time in a process, and one thread at a time may use it. Where
/// this class works around a defect of the library, a comment says so.
final class Inotify {
    private static let isInUse = Atomic(false)

    /// Can be read when there are events.
    ///
    /// ``next()`` must then be called until it returns `nil`, because the library buffers events.
    let descriptor: CInt
    /// How often ``uniquePath(of:)`` was called.
    private var pathCount: UInt32 = 0
    /// The number of watches that were ever set, of which the library keeps the paths even after their end.
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
        // IN_EXCL_UNLINK suppresses events of removed files that are still open. With IN_MASK_CREATE, a second watch of one
        // directory fails with EEXIST, and does not change the first one.
        let flags = IN_EXCL_UNLINK | IN_MASK_CREATE
        guard unsafe inotifytools_watch_file(path, kinds.rawValue | flags) != 0 else {
            let code = inotifytools_error()
            if code == EEXIST { return nil }
            throw code == ENOSPC ? .watches : .failed(SystemError("watch", path: path, code: code))
        }
        watchCount += 1
        return unsafe inotifytools_wd_from_filename(path)
    }

    /// Removes a watch, unless the kernel has ended it, for which the library's own function would print a line.
    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// Reads the next event; returns `nil` at once if there is none.
    func next() -> InotifyEvent? {
        // The arguments are the timeout and the number of events. For more than one event, the library waits in a busy loop.
        unsafe inotifytools_next_events(0, 1).map { InotifyEvent(copying: $0) }
    }

    /// Returns a path of the open directory that the library has not seen before.
    ///
    /// The library finds a watch by its path, and keeps the paths of ended watches. So no path must be used twice. This one
    /// ends with a number in binary, whose digits do not change where the path leads: `/` stands for 0, and `/.` for 1.
    private func uniquePath(of directory: CInt) -> String {
        pathCount += 1
        let digits = (0..<UInt32.bitWidth).map { pathCount & (1 << $0) == 0 ? "/" : "/." }
        return "/proc/self/fd/\(directory)\(digits.joined())/"
    }

    /// Starts the library, and finds its descriptor, which it tells nobody.
    private static func initialize() throws(WatchObstacle) -> CInt {
        let before = try instances()
        guard inotifytools_initialize() != 0 else {
            // There are free descriptors, because the last line has just used one. So EMFILE means the limit of instances.
            throw errno == EMFILE
                ? .instances
                : .failed(SystemError("inotify_init", path: "inotify", code: errno))
        }
        do throws(WatchObstacle) {
            let new = try instances().subtracting(before)
            // There is one new descriptor, because nothing else in this process uses inotify. It must be below the limit of
            // select(2), which the library calls, and which would abort the process.
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

/// An event of a watched directory, or of a name in it; see inotify(7).
struct InotifyEvent: Hashable, Sendable {
    /// What has happened, or for a watch, which events it reports: bits of inotify(7).
    struct Kinds: OptionSet, Hashable, Sendable {
        let rawValue: Int32

        /// A name in the directory was created, removed or renamed.
        static let named = Kinds(rawValue: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        static let arrived = Kinds(rawValue: IN_MOVED_TO)
        static let written = Kinds(rawValue: IN_CLOSE_WRITE)
        static let attributes = Kinds(rawValue: IN_ATTRIB)
        /// Events were lost.
        static let overflow = Kinds(rawValue: IN_Q_OVERFLOW)
        /// The watch has ended: it was removed, or the directory was deleted.
        static let ended = Kinds(rawValue: IN_IGNORED)
    }

    /// The descriptor of the watch; -1 for an overflow.
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
    /// How long it takes until the kernel reports a new file in the directory; `nil` if it does not within `limit`.
    ///
    /// `doctor` tests so whether changes are noticed. The file is a temporary one, whose name begins with `prefix`.
    ///
    /// - Throws: ``WatchObstacle``, ``SystemError`` or `CancellationError`.
    package func delayOfEvent(within limit: Duration, prefix: String) async throws -> Duration? {
        let inotify = try Inotify()
        _ = try inotify.watch(descriptor.rawValue, for: .named)
        let start = ContinuousClock.now
        // The file is created, and removed at once.
        _ = try AtomicFile(prefix, in: self)
        while inotify.next() == nil {
            guard start.duration(to: .now) < limit else { return nil }
            try await CancellableContinuation().wait(
                onReadable: inotify.descriptor, by: start + limit)
        }
        return start.duration(to: .now)
    }
}
