/// Resolves the links in `favorites/` by their text, without access to the disk.
struct LinkResolver: Sendable {
    enum Destination: Hashable {
        /// In the tree, relative to its root.
        case inside(PathText)
        case outside(PathText)
    }

    /// The real path of the tree.
    let root: PathText

    init(root: String) { self.root = PathText(root) }

    /// The destination of a link called `name` with the text `target`.
    func destination(_ target: [UInt8], from name: FavoriteName) -> Destination {
        guard target.first != UInt8(ascii: "/") else { return destination(PathText(target)) }
        let folder = root.parts + PathText(name.folderPath).parts
        return destination(PathText(target[...], from: folder))
    }

    /// The destination of an absolute path.
    func destination(_ path: PathText) -> Destination {
        path.below(root).map(Destination.inside) ?? .outside(path)
    }
}
