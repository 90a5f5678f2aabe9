/// Why a ``DirectoryWatcher`` wants its directory, `favorites/`, to be scanned; only the scan shows what has changed.
package struct RescanReason: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The watcher has just started.
    package static let started = RescanReason(rawValue: 1 << 0)
    /// Something in the directory or beneath it changed.
    package static let changed = RescanReason(rawValue: 1 << 1)
    /// The kernel's event queue overflowed.
    package static let overflow = RescanReason(rawValue: 1 << 2)
    /// The directory itself was created, removed or replaced.
    package static let replaced = RescanReason(rawValue: 1 << 3)
    /// A file system was mounted or unmounted at or below the directory.
    package static let mounted = RescanReason(rawValue: 1 << 4)
    /// Some directories cannot be watched, so that they are scanned at intervals; see ``DirectoryWatcher/Mode-swift.enum``.
    package static let unwatched = RescanReason(rawValue: 1 << 5)
    /// The caller's deadline has come.
    package static let due = RescanReason(rawValue: 1 << 6)
    /// This program has changed something on which the result of a scan depends.
    package static let requestedByProgram = RescanReason(rawValue: 1 << 7)
    /// A command of the user, in another process, has left a file with a request for the daemon.
    package static let requestedByCommand = RescanReason(rawValue: 1 << 8)
    /// A user has told the daemon to reload.
    package static let requestedByUser = RescanReason(rawValue: 1 << 9)

    /// Whether a person or the caller's deadline is waiting for the scan, so that no ``ScanPace`` delays it.
    var isUrgent: Bool {
        !isDisjoint(with: [.started, .requestedByCommand, .requestedByUser, .due])
    }
}
