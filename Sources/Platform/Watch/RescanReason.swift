/// That a watched folder should be looked at now, and why.
///
/// ``proven`` alone is no reason to look. It never says what changed: only a look at the folder does.
package struct RescanReason: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The watch has just begun.
    package static let started = RescanReason(rawValue: 1 << 0)
    /// Something in the folder or beneath it changed.
    package static let changed = RescanReason(rawValue: 1 << 1)
    /// More happened than the kernel remembers.
    package static let overflow = RescanReason(rawValue: 1 << 2)
    /// The folder itself came, went, or may be another one than before.
    package static let replaced = RescanReason(rawValue: 1 << 3)
    /// Something was mounted or unmounted somewhere, which gives no event of its own.
    package static let mounted = RescanReason(rawValue: 1 << 4)
    /// Not all can be watched, so it is time to look; see ``DirectoryWatcher/Mode-swift.enum``.
    package static let unwatched = RescanReason(rawValue: 1 << 5)
    /// The moment came that the caller named.
    package static let due = RescanReason(rawValue: 1 << 6)
    /// Somebody asked for it by ``DirectoryWatcher/ask()``.
    package static let asked = RescanReason(rawValue: 1 << 7)
    /// The news that ``DirectoryWatcher/prove()`` caused has arrived: nothing else happened.
    package static let proven = RescanReason(rawValue: 1 << 8)
    /// Something came into the folder that is watched beside it.
    package static let requested = RescanReason(rawValue: 1 << 9)
}
