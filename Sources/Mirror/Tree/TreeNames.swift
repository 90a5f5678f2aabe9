internal import Glibc
package import Platform

/// The names in the folders of a tree, each folder read when it is first asked for.
///
/// Many links lead into few folders. It is made for one look, and knows nothing of what comes later.
package final class TreeNames: Sendable {
    private enum Contents {
        case names(Set<Key>)
        case missing
        /// What is behind a link is not looked at.
        case behindLink
    }

    /// A name, or a path without dots and empty parts.
    private struct Key: Hashable {
        let bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

        static func == (left: Key, right: Key) -> Bool {
            left.bytes.compared(with: right.bytes) == 0
        }
    }

    private let root: Directory
    private let folders = Monitor([Key: Contents]())

    package init(of root: Directory) {
        self.root = root
    }

    /// Whether something has the path, which has no dots and no empty parts and is relative to the
    /// tree; of what is behind a link, that is taken for granted.
    package func contain(_ path: ArraySlice<UInt8>) throws(SystemError) -> Bool {
        guard !path.isEmpty else { return true }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { path[..<$0] } ?? []
        switch try contents(of: Key(bytes: folder)) {
        case .names(let names):
            return names.contains(Key(bytes: slash.map { path[($0 + 1)...] } ?? path))
        case .missing: return false
        case .behindLink: return true
        }
    }

    /// The names in the folder at `path`, in no order; none where there is no folder.
    func names(in path: [UInt8]) throws(SystemError) -> [ArraySlice<UInt8>] {
        guard case .names(let names) = try contents(of: Key(bytes: path[...])) else { return [] }
        return names.map(\.bytes)
    }

    private func contents(of path: Key) throws(SystemError) -> Contents {
        if let known = folders.withLock({ $0[path] }) { return known }
        let contents = try read(path.bytes)
        // A copy: the path is part of the text of a link.
        folders.withLock { $0[Key(bytes: Array(path.bytes)[...])] = contents }
        return contents
    }

    private func read(_ path: ArraySlice<UInt8>) throws(SystemError) -> Contents {
        do {
            guard let names = try root.names(in: Array(path)) else { return .missing }
            return .names(Set(names.lazy.map { Key(bytes: $0[...]) }))
        } catch {
            guard error.isNoFolder else { throw error }
            return error.code == ELOOP ? .behindLink : .missing
        }
    }
}
