internal import Glibc
package import Platform

/// A cache of the names in the directories of a tree; each directory is read on first use.
///
/// Many links lead into few directories. It is used for one scan, as it does not see later changes.
package final class TreeNames {
    private let root: Directory
    /// The names in each directory; `nil` behind a symbolic link, which is not followed.
    private var folders: [ArraySlice<UInt8>: Set<ArraySlice<UInt8>>?] = [:]

    package init(of root: Directory) {
        self.root = root
    }

    /// Whether `path` exists.
    ///
    /// It is relative to the tree, without dots and empty components. Anything behind a symbolic link
    /// is assumed to exist.
    package func contains(_ path: ArraySlice<UInt8>) throws(SystemError) -> Bool {
        guard !path.isEmpty else { return true }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let names = try names(in: slash.map { path[..<$0] } ?? [])
        return names?.contains(slash.map { path[($0 + 1)...] } ?? path) ?? true
    }

    private func names(
        in path: ArraySlice<UInt8>
    ) throws(SystemError) -> Set<ArraySlice<UInt8>>? {
        if let known = folders[path] { return known }
        var names: Set<ArraySlice<UInt8>>?
        do {
            names = Set(try (root.names(in: Array(path)) ?? []).lazy.map { $0[...] })
        } catch {
            guard error.isNotDirectory else { throw error }
            names = error.code == ELOOP ? nil : []
        }
        // A copy, as the path is a slice of the text of a link.
        folders[Array(path)[...]] = .some(names)
        return names
    }
}
