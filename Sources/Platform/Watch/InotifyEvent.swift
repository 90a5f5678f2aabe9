internal import CInotifyTools
internal import Glibc

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
