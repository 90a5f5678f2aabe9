internal import Glibc
internal import Platform

/// The names in the folders of a tree, each folder read when it is first asked for.
///
/// Many links lead into few folders. It is made for one look, and knows nothing of what comes later.
final class TreeNames {
    private enum Contents {
        case names(Set<[UInt8]>)
        case missing
        /// What is behind a link is not looked at.
        case behindLink
    }

    private let root: Folder
    private var folders: [PathText: Contents] = [:]

    init(of root: Folder) {
        self.root = root
    }

    /// Whether something has the path; of what is behind a link, that is taken for granted.
    func contain(_ path: PathText) throws(SystemError) -> Bool {
        guard let name = path.parts.last else { return true }
        switch try contents(of: PathText(parts: path.parts.dropLast())) {
        case .names(let names): return names.contains(Array(name))
        case .missing: return false
        case .behindLink: return true
        }
    }

    private func contents(of path: PathText) throws(SystemError) -> Contents {
        if let known = folders[path] { return known }
        let contents = try read(path)
        folders[path] = contents
        return contents
    }

    private func read(_ path: PathText) throws(SystemError) -> Contents {
        do {
            var folder = root
            for part in path.parts {
                guard let inner = try folder.folder(bytes: Array(part)) else { return .missing }
                folder = inner
            }
            return .names(Set(try folder.names()))
        } catch {
            guard error.isNoFolder else { throw error }
            return error.code == ELOOP ? .behindLink : .missing
        }
    }
}
