/// What a scan of a folder leaves out, and how much of it is kept in memory at most.
package struct ScanRules: Sendable {
    /// Whether a name is left out, with all beneath it: it is neither read nor watched.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// What is kept beside folders.
    package let items: Int
    let folders: Int
    /// Of all paths and link targets together.
    let bytes: Int
    /// Of one path.
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

    /// So many failures are kept; beyond, nothing that was not seen can be taken for absent.
    static let failures = 1000
    /// Of the text of a link: a path to a file of a mirror is shorter.
    package static let targetLength = 1024
}
