/// Resolves the links in `favorites/` by their text, without access to the disk.
struct LinkResolver: Sendable {
    enum Destination: Hashable {
        /// In the tree, relative to its root.
        case inside(PathText)
        case outside(PathText)
    }

    /// The absolute paths of the tree, the real path first.
    let roots: [PathText]
    /// The absolute paths that the tree had before.
    let formerRoots: [PathText]

    init(roots: [String], formerRoots: [String] = []) {
        self.formerRoots = formerRoots.map { PathText($0) }
        self.roots = roots.map { PathText($0) } + self.formerRoots
    }

    /// The destination of a link called `name` with the text `target`.
    func destination(_ target: [UInt8], from name: FavoriteName) -> Destination {
        guard target.first != UInt8(ascii: "/") else { return destination(PathText(target)) }
        let folder = (roots.first?.parts ?? []) + PathText(name.folderPath).parts
        return destination(PathText(target[...], from: folder))
    }

    /// Whether a target leads into the tree by a path that it had before.
    func isFormer(_ target: [UInt8]) -> Bool {
        guard target.first == UInt8(ascii: "/") else { return false }
        let path = PathText(target)
        let root = roots.first { path.below($0) != nil }
        return root.map(formerRoots.contains) ?? false
    }

    /// The destination of an absolute path.
    func destination(_ path: PathText) -> Destination {
        roots.lazy.compactMap { path.below($0) }.first.map(Destination.inside) ?? .outside(path)
    }
}
