/// Where a link in `favorites/` leads by its text, without access to the disk.
enum LinkDestination: Hashable {
    /// In the tree, relative to its root.
    case inside(PathText)
    case outside(PathText)

    /// The destination of a link called `name` with the text `target`, in the tree whose real path is `root`.
    init(_ target: [UInt8], from name: FavoriteName, in root: PathText) {
        let isAbsolute = target.first == UInt8(ascii: "/")
        let folder = isAbsolute ? [] : root.parts + PathText(name.folderPath).parts
        let path = PathText(target[...], from: folder)
        self = path.below(root).map(Self.inside) ?? .outside(path)
    }
}
