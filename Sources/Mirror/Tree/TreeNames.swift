internal import Glibc
package import Platform

/// A cache of the names in the directories of a tree; each directory is read on first use.
///
/// Many links lead into few directories. It is used for one scan, as it does not see later changes.
package final class TreeNames: Sendable {
    private enum Contents {
        case names(Set<ArraySlice<UInt8>>)
        case missing
        /// A symbolic link, which is not followed.
        case behindLink
    }

    private let root: Directory
    private let folders = Monitor([ArraySlice<UInt8>: Contents]())

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
        let folder = slash.map { path[..<$0] } ?? []
        switch try contents(of: folder) {
        case .names(let names):
            return names.contains(slash.map { path[($0 + 1)...] } ?? path)
        case .missing: return false
        case .behindLink: return true
        }
    }

    private func contents(of path: ArraySlice<UInt8>) throws(SystemError) -> Contents {
        if let known = folders.withLock({ $0[path] }) { return known }
        let contents = try read(path)
        // A copy, as the path is a slice of the text of a link.
        folders.withLock { $0[Array(path)[...]] = contents }
        return contents
    }

    private func read(_ path: ArraySlice<UInt8>) throws(SystemError) -> Contents {
        do {
            guard let names = try root.names(in: Array(path)) else { return .missing }
            return .names(Set(names.lazy.map { $0[...] }))
        } catch {
            guard error.isNotDirectory else { throw error }
            return error.code == ELOOP ? .behindLink : .missing
        }
    }
}
