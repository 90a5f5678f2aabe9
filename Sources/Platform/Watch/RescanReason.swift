/// Why a watched directory is to be scanned, which alone shows what has changed.
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
    /// Not all directories can be watched; see ``DirectoryWatcher/Mode-swift.enum``.
    package static let unwatched = RescanReason(rawValue: 1 << 5)
    /// The caller's deadline has come.
    package static let due = RescanReason(rawValue: 1 << 6)
    /// The program itself wants a scan, as what it did elsewhere may change what a scan finds.
    package static let scanRequested = RescanReason(rawValue: 1 << 7)
    /// A file arrived in the directory of requests, by which commands of other processes ask for something.
    package static let requestFile = RescanReason(rawValue: 1 << 8)
    /// A person wants a scan.
    package static let userRequest = RescanReason(rawValue: 1 << 9)
}
