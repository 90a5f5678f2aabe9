/// Where the links in `favorites/` lead, told by their text alone.
struct LinkReader: Sendable {
    /// A place that a link names.
    enum Lead: Hashable {
        /// In the tree, relative to its root.
        case inside(PathText)
        case outside(PathText)
    }

    /// The root of the tree as it is spelled, the real path first.
    let roots: [PathText]
    /// The same as bytes, without a slash at the end.
    let plainRoots: [[UInt8]]

    /// - Parameter roots: Absolute paths that lead to the tree; the first is the real one.
    init(roots: [String]) {
        self.roots = roots.map { PathText($0) }
        plainRoots = self.roots.map { $0.parts.flatMap { [UInt8(ascii: "/")] + $0 } }
    }

    /// Where a link called `name` with the text `target` leads.
    func lead(_ target: ArraySlice<UInt8>, from name: FavoriteName) -> Lead {
        guard target.first != UInt8(ascii: "/") else { return lead(PathText(target)) }
        let folders = [Array(Scan.folder.utf8)] + name.folders
        return lead(PathText(target, below: (roots.first?.parts ?? []) + folders.map { $0[...] }))
    }

    /// The place of an absolute path.
    func lead(_ path: PathText) -> Lead {
        roots.lazy.compactMap { path.below($0) }.first.map(Lead.inside) ?? .outside(path)
    }
}
