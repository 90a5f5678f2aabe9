internal import Glibc
internal import Platform

/// The names in the folders of a tree, each folder read when it is first asked for.
///
/// Many links lead into few folders. It is made for one look, and knows nothing of what comes later.
final class TreeNames {
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
    }

    private let root: Folder
    private var folders: [Key: Contents] = [:]

    init(of root: Folder) {
        self.root = root
    }

    /// Whether something has the path, which has no dots and no empty parts and is relative to the
    /// tree; of what is behind a link, that is taken for granted.
    func contain(_ path: ArraySlice<UInt8>) throws(SystemError) -> Bool {
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

    private func contents(of path: Key) throws(SystemError) -> Contents {
        if let known = folders[path] { return known }
        let contents = try read(path.bytes)
        // A copy: the path is part of the text of a link.
        folders[Key(bytes: Array(path.bytes)[...])] = contents
        return contents
    }

    private func read(_ path: ArraySlice<UInt8>) throws(SystemError) -> Contents {
        do {
            var folder = root
            for part in path.split(separator: UInt8(ascii: "/")) {
                guard let inner = try folder.folder(bytes: Array(part)) else { return .missing }
                folder = inner
            }
            return .names(Set(try folder.names().map { Key(bytes: $0[...]) }))
        } catch {
            guard error.isNoFolder else { throw error }
            return error.code == ELOOP ? .behindLink : .missing
        }
    }
}
