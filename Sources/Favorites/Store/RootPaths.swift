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

    /// Puts `paths` before those that are recorded.
    ///
    /// The caller holds the lock of the tree, and knows that they lead to its root.
    package func addRootPaths(_ paths: [String]) throws(SystemError) {
        let recorded = try rootPaths()
        // Other bytes are another path, also where Unicode says that the text is the same.
        let added = paths.map { Array($0.utf8) }
        let others = recorded.filter { !added.contains(Array($0.utf8)) }
        let all = (paths + others).prefix(Self.maximumRootPaths)
        guard !all.elementsEqual(recorded, by: { $0.utf8.elementsEqual($1.utf8) }) else { return }
        try publish(
            ["paths": .array(all.map { .string($0) })], in: Self.folder, as: Self.rootPathsName)
    }

    /// The recorded paths, the newest first.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted: favorites would seem to be missing.
    func rootPaths() throws(SystemError) -> [String] {
        let paths = try json(at: "\(Self.folder)/\(Self.rootPathsName)")?["paths"]?.elements ?? []
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
