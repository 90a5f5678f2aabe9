internal import Glibc
internal import Mirror
internal import Platform

/// The links that a dry run would create.
struct LinkPlan {
    private var links: Set<FavoriteName> = []
    private var folders: Set<FavoriteName> = []

    /// Adds a link; throws as ``FavoriteLinks/make(_:to:)`` would, except for errors of writing.
    mutating func add(_ name: FavoriteName, in tree: Tree) throws(SystemError) {
        let isTaken = try tree.root.status(name.path) != nil
        guard !isTaken, !links.contains(name), !folders.contains(name) else {
            throw SystemError("symlink", path: name.text, code: EEXIST)
        }
        guard links.isDisjoint(with: name.folders) else {
            throw SystemError("mkdir", path: name.text, code: ENOTDIR)
        }
        links.insert(name)
        folders.formUnion(name.folders)
    }
}
