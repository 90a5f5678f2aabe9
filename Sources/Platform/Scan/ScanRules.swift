/// What a scan of a directory ignores, and its limit of memory.
package struct ScanRules: Sendable {
    /// Whether a name is ignored: neither it nor anything beneath it is read or watched.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The maximum size of all items and directories, each of which counts its path, its link target and
    /// ``bytesOfItem``.
    let bytes: Int

    package init(
        bytes: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.bytes = bytes
        self.isIgnored = isIgnored
    }

    /// What an item takes in memory beside its path and target, about.
    static let bytesOfItem = 150
    /// The maximum number of listed failures; above it, no missing item counts as absent.
    static let maximumFailures = 1000
    /// The maximum length of the target of a link, which is that of the kernel; see symlink(2).
    package static let targetLength = 4095
}
