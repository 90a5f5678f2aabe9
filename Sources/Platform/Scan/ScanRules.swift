/// What a scan of a directory ignores, and its limits of memory.
package struct ScanRules: Sendable {
    /// Whether a name is ignored: neither it nor anything beneath it is read or watched.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The maximum number of items that are not directories.
    package let items: Int
    package let folders: Int
    /// The maximum size of all paths and link targets.
    package let bytes: Int
    /// The maximum length of one path.
    let pathLength: Int

    package init(
        items: Int = .max, folders: Int = .max, bytes: Int = .max, pathLength: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.items = items
        self.folders = folders
        self.bytes = bytes
        self.pathLength = pathLength
        self.isIgnored = isIgnored
    }

    /// The maximum number of listed failures; above it, no missing item counts as absent.
    static let maximumFailures = 1000
    /// The maximum length of the target of a link, which is that of the kernel; see symlink(2).
    package static let targetLength = 4095
}
