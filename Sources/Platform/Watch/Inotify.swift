internal import CInotifyTools
internal import Glibc

/// The one inotify instance that libinotifytools gives a process.
///
/// Of the library it uses what holds: watch, look up, remove, take one event. The library keeps its
/// state in globals, so whoever has the instance uses it from one place at a time; a second one is
/// refused until the first is gone.
final class Inotify {
    private static let isTaken = Monitor(false)

    /// Readable when there are events.
    let descriptor: CInt
    private var spellings: UInt32 = 0

    init() throws(WatchLimit) {
        let wasTaken = Self.isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else { throw .taken }
        do {
            descriptor = try Self.initialize()
        } catch {
            Self.isTaken.withLock { $0 = false }
            throw error
        }
        // The library's buffer outlives its cleanup: without this the events of an earlier instance come first.
        while next() != nil {}
    }

    deinit {
        inotifytools_cleanup()
        Self.isTaken.withLock { $0 = false }
    }

    /// Watches the very directory that is open as `directory`.
    ///
    /// - Returns: The watch descriptor, `nil` where the directory is watched already.
    func watch(_ directory: CInt, for kinds: InotifyEvent.Kinds) throws(WatchLimit) -> Int32? {
        let path = unusedSpelling(of: directory)
        let flags = IN_EXCL_UNLINK | IN_MASK_CREATE
        guard unsafe inotifytools_watch_file(path, kinds.rawValue | flags) != 0 else {
            let code = inotifytools_error()
            if code == EEXIST { return nil }
            throw code == ENOSPC ? .watches : .failed(SystemError("watch", path: path, code: code))
        }
        return unsafe inotifytools_wd_from_filename(path)
    }

    /// Watches the directory that is open as `directory` for something else from now on.
    ///
    /// - Returns: The watch descriptor, a new one where the directory was not watched; `-1` on failure.
    func rewatch(_ directory: CInt, for kinds: InotifyEvent.Kinds) -> Int32 {
        let flags = UInt32(kinds.rawValue | IN_EXCL_UNLINK)
        return unsafe inotify_add_watch(descriptor, "/proc/self/fd/\(directory)", flags)
    }

    /// Ends a watch, if it has not ended by itself.
    ///
    /// The library would print a line where it has, as it does when the kernel forgot to say so.
    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// The next event, `nil` where there is none; never waits.
    func next() -> InotifyEvent? {
        // More than one event asked for, and it spins until they have come.
        unsafe inotifytools_next_events(0, 1).map { InotifyEvent(copying: $0) }
    }

    /// A path of the open directory that the library was never given before.
    ///
    /// It finds a watch descriptor by path only, and keeps paths of watches that have ended: to be sure of
    /// the answer, a counter is written after the path, `/` for 0 and `/.` for 1.
    private func unusedSpelling(of directory: CInt) -> String {
        spellings += 1
        let digits = (0..<UInt32.bitWidth).map { spellings & (1 << $0) == 0 ? "/" : "/." }
        return "/proc/self/fd/\(directory)\(digits.joined())/"
    }

    /// Starts the library and finds the descriptor that it hides.
    private static func initialize() throws(WatchLimit) -> CInt {
        let before = try instances()
        guard inotifytools_initialize() != 0 else {
            // EMFILE: there was a free descriptor a moment ago, so it is the other limit that was hit.
            throw errno == EMFILE
                ? .instances
                : .failed(SystemError("inotify_init", path: "the folder", code: errno))
        }
        do throws(WatchLimit) {
            let new = try instances().subtracting(before)
            guard new.count == 1, let descriptor = new.first, descriptor < FD_SETSIZE else {
                // The library waits by select(2), which aborts the process where the number is larger.
                throw .descriptors
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return descriptor
        } catch {
            inotifytools_cleanup()
            throw error
        }
    }

    /// The descriptors of this process that are inotify instances.
    private static func instances() throws(WatchLimit) -> Set<CInt> {
        do throws(SystemError) {
            var reader = try DirectoryReader(beneath: Directory(opening: "/proc/self/fd"))
            var found: Set<CInt> = []
            while try reader.advance() {
                let name = reader.name
                var target: [UInt8] = []
                // Another thread may have closed it in the meantime.
                try? target.appendTarget(of: name + [0], in: reader.descriptor)
                guard target == Array("anon_inode:inotify".utf8) else { continue }
                CInt(String(decoding: name, as: UTF8.self)).map { _ = found.insert($0) }
            }
            return found
        } catch {
            throw WatchLimit(lookingFailedBy: error) ?? .failed(error)
        }
    }
}
