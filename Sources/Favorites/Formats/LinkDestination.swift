internal import Mirror
internal import Platform

/// Where a link in `favorites/` leads, as its text says; the link is not followed.
///
/// ``Classifier`` finds the day of a link by its destination. A reconciliation repairs links whose destination is missing.
enum LinkDestination: Hashable {
    /// A path in the mirror, relative to its root.
    case inside(PathText)
    /// A path elsewhere on this machine.
    case outside(PathText)

    /// The destination of the link `name`, which has this `text`, in the mirror at `tree`.
    init(_ text: LinkText, from name: FavoriteName, in tree: Tree) throws(SystemError) {
        let folder = text.isAbsolute ? [] : tree.partsOfFolder(of: name)
        let path = PathText(text.bytes[...], from: folder)
        self = try tree.pathInMirror(of: path).map(Self.inside) ?? .outside(path)
    }
}

extension Tree {
    /// The parts of the absolute path of the folder that contains the item `name` in `favorites/`.
    func partsOfFolder(of name: FavoriteName) -> [ArraySlice<UInt8>] {
        PathText(root.path).parts + PathText(name.folderPath).parts
    }

    /// The part of the absolute `path` below the root of the mirror; `nil` if the path leads elsewhere.
    ///
    /// The path may have the root under another name: that of a symbolic link to the root, or of a bind mount. Only for
    /// `latest.*` and for existing items in `favorites/`, the folders above are opened to find that out. All other files have
    /// their day in their names, and a folder may be on a disk that does not answer.
    func pathInMirror(of path: PathText) throws(SystemError) -> PathText? {
        if let inside = path.below(PathText(root.path)) { return inside }
        for count in path.parts.indices {
            let (folder, rest) = path.split(after: count)
            let mayBeInside = rest.latestFile != nil || rest.favoriteName != nil
            if mayBeInside, try ifValid(root.status(rest.bytes)) != nil, isRoot(folder) {
                return rest
            }
        }
        return nil
    }

    /// Whether the folder at the absolute `path` is the root of this mirror.
    ///
    /// `false` after any error: the link counts as unrecognized then. Its favorite stays, because the link is still there.
    private func isRoot(_ path: PathText) -> Bool {
        guard let text = String(validating: path.bytes, as: UTF8.self),
            let status = try? Directory(opening: "/\(text)").status()
        else { return false }
        return status.identity == (try? root.status())?.identity
    }
}
