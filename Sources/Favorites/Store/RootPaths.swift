internal import JSON
internal import Mirror
package import Platform

/// The absolute paths of the root: the real ones, also from before it was moved, and those that users typed.
/// Links in `favorites/` may contain them. They are in `.apod-mirror/favorites/roots.json`, so that every
/// process recognizes the same links, however it was started.
extension FavoriteStore {
    static let rootPathsName = "roots.json"
    /// More paths than any user has.
    static let maximumRootPaths = 100

    /// Puts `paths` before those that are recorded, which are former paths from now on.
    ///
    /// The caller holds the lock of the tree, and knows that they lead to its root.
    package func addRootPaths(_ paths: [String]) throws(SystemError) {
        let recorded = try rootPaths()
        // Other bytes are another path, also where Unicode says that the text is the same.
        let added = paths.map { Array($0.utf8) }
        let others = (recorded.current + recorded.former).filter { !added.contains(Array($0.utf8)) }
        let all = (paths + others).prefix(Self.maximumRootPaths)
        let json: JSON = [
            "paths": .array(all.map { .string($0) }), "current": .integer(paths.count),
        ]
        let path = "\(Self.folder)/\(Self.rootPathsName)"
        guard try ifReadable(tree.root.read(path, limit: 1 << 20)) != json.document else { return }
        try publish(json, in: tree.root.makeDirectory(Self.folder), as: Self.rootPathsName)
    }

    /// The recorded paths, the newest first: those that lead to the root since the daemon started, and former ones.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: favorites would seem to be missing.
    func rootPaths() throws(SystemError) -> (current: [String], former: [String]) {
        let json = try json(at: "\(Self.folder)/\(Self.rootPathsName)")
        let paths = (json?["paths"]?.elements ?? []).compactMap { $0.string }
            .filter { $0.hasPrefix("/") }
        // Older versions did not write the number: none is known to be a former path.
        let current = json?["current"]?.count ?? paths.count
        return (Array(paths.prefix(current)), Array(paths.dropFirst(current)))
    }
}

extension LinkResolver {
    /// The resolver for the links in `tree`, the same in every process.
    init(of tree: Tree) throws(SystemError) {
        let recorded = try FavoriteStore(tree: tree).rootPaths()
        self.init(roots: [tree.root.path] + recorded.current, formerRoots: recorded.former)
    }
}
