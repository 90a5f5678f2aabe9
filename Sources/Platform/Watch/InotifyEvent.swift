internal import CInotifyTools
internal import Glibc

/// An event of a watched directory, or of a name in it, as ``Inotify`` reads it; see inotify(7).
struct InotifyEvent: Hashable, Sendable {
    /// What has happened, or for a watch, which events it reports: bits of inotify(7).
    struct Kinds: OptionSet, Hashable, Sendable {
        let rawValue: Int32

        /// A name in the directory was created, removed or renamed.
        static let named = Kinds(rawValue: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        /// A name was renamed into the directory.
        static let arrived = Kinds(rawValue: IN_MOVED_TO)
        /// A file was closed that was open for writing.
        static let written = Kinds(rawValue: IN_CLOSE_WRITE)
        /// The permissions, the owner or another attribute was changed.
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

    /// Copies an event of libinotifytools, which reuses its buffer for the next one.
    @safe init(copying event: UnsafePointer<inotify_event>) {
        watch = unsafe event.pointee.wd
        kinds = unsafe Kinds(rawValue: Int32(bitPattern: event.pointee.mask))
        guard let text = unsafe inotifytools_event_name(event) else {
            name = []
            return
        }
        name = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
