/// Resolves the links in `favorites/` by their text, without access to the disk.
struct LinkResolver: Sendable {
    enum Destination: Hashable {
        /// In the tree, relative to its root.
        case inside(PathText)
        case outside(PathText)
    }

    /// The absolute paths of the tree, the real path first.
    let roots: [PathText]

    init(roots: [String]) {
        self.roots = roots.map { PathText($0) }
    }

    /// The destination of a link called `name` with the text `target`.
    func destination(_ target: [UInt8], from name: FavoriteName) -> Destination {
        guard target.first != UInt8(ascii: "/") else { return destination(PathText(target)) }
        let folder = (roots.first?.parts ?? []) + PathText(name.folderPath).parts
        return destination(PathText(target[...], below: folder))
    }

    /// Whether a target leads into the tree by another path than the real one, which may lead elsewhere by now.
    func isIndirect(_ target: [UInt8]) -> Bool {
        guard target.first == UInt8(ascii: "/"), let real = roots.first else { return false }
        let path = PathText(target)
        return path.below(real) == nil && destination(path) != .outside(path)
    }

    /// The destination of an absolute path.
    func destination(_ path: PathText) -> Destination {
        roots.lazy.compactMap { path.below($0) }.first.map(Destination.inside) ?? .outside(path)
    }
}
