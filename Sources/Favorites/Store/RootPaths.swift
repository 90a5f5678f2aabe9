internal import Mirror
package import Platform

/// The absolute paths of the root: the real ones, also from before it was moved, and those that users typed.
///
/// Links in `favorites/` may contain them. They are in `.apod-mirror/favorites/roots.json`, so that every
/// process recognizes the same links, however it was started.
struct RootPaths: Codable {
    /// Those that lead to the root since the daemon started, the newest first.
    var current: [String] = []
    var former: [String] = []
}

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
        let room = max(0, Self.maximumRootPaths - paths.count)
        let document = RootPaths(current: paths, former: Array(others.prefix(room))).stateDocument
        guard document != recorded.stateDocument else { return }
        try publish(
            document, in: tree.root.makeDirectory(Self.folder), as: Self.rootPathsName)
    }

    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: favorites would seem to be missing.
    func rootPaths() throws(SystemError) -> RootPaths {
        var paths: RootPaths =
            try tree.state(at: "\(Self.folder)/\(Self.rootPathsName)") ?? RootPaths()
        // Every path would be below another one, whatever damaged the file.
        paths.current.removeAll { !$0.hasPrefix("/") }
        paths.former.removeAll { !$0.hasPrefix("/") }
        return paths
    }
}

extension LinkResolver {
    /// The resolver for the links in `tree`, the same in every process.
    init(of tree: Tree) throws(SystemError) {
        let recorded = try FavoriteStore(tree: tree).rootPaths()
        self.init(roots: [tree.root.path] + recorded.current, formerRoots: recorded.former)
    }
}
