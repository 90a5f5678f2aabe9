internal import JSON
internal import Mirror
package import Platform

/// Other absolute paths of the root than the real one, such as the one that a user typed: links in
/// `favorites/` may contain them. They are in `.apod-mirror/favorites/roots.json`, so that every process
/// recognizes the same links, however it was started.
extension FavoriteStore {
    static let rootPathsName = "roots.json"
    /// More paths than any user has.
    private static let maximumRootPaths = 8

    /// Adds a path; does nothing if it is recorded or that of the root.
    ///
    /// The caller holds the lock of the tree, and knows that `path` leads to its root.
    package func addRootPath(_ path: String) throws(SystemError) {
        var paths = try rootPaths()
        guard path != tree.root.path, !paths.contains(path) else { return }
        paths = [path] + paths.prefix(Self.maximumRootPaths - 1)
        try publish(
            ["paths": .array(paths.map { .string($0) })], in: Self.folder, as: Self.rootPathsName)
    }

    /// The recorded paths, the newest first.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: favorites would seem to be missing.
    func rootPaths() throws(SystemError) -> [String] {
        let bytes = try ifReadable(
            tree.root.read("\(Self.folder)/\(Self.rootPathsName)", limit: 1 << 20))
        let json = bytes.flatMap { try? JSON(parsing: $0) }
        let paths = json?["paths"]?.elements ?? []
        return paths.compactMap { $0.string }.filter { $0.hasPrefix("/") }
    }
}

extension LinkResolver {
    /// The resolver for the links in `tree`, the same in every process.
    init(of tree: Tree) throws(SystemError) {
        let others = try FavoriteStore(tree: tree).rootPaths()
        self.init(roots: [tree.root.path] + others)
    }
}
