package import APOD
internal import JSON
package import Mirror
internal import Platform

/// The gallery of a mirror: `index.html` in its root, and the pages of the years, the favorites and the
/// search in `gallery/`.
///
/// All pages are built from the tree and may be removed. A page is written atomically, and only if its
/// bytes change. A user's own file of the same name is never replaced.
package actor Gallery {
    package struct Outcome: Hashable, Sendable {
        /// The paths of the pages that were written or removed, relative to the root.
        package internal(set) var written: [String] = []
        /// What is in the place of a page, as sentences.
        package internal(set) var problems: [String] = []
    }

    /// How thoroughly the tree is scanned.
    package enum ScanDepth: Sendable {
        /// Detects added and removed files, which are the only changes of the mirror itself.
        case folders
        /// Detects modified files, too.
        case files
    }

    private let store: Store
    private var cache: BuildCache?

    /// - Parameter store: The store of a tree that is open for writing.
    package init(store: Store) {
        self.store = store
    }

    /// Builds all pages whose inputs have changed; the first call always scans files.
    ///
    /// `collections` are the favorites in each directory in `favorites/`, by its path there.
    ///
    /// - Throws: ``SystemError`` or `CancellationError`; written pages stay, and the next call continues.
    @discardableResult
    package func refresh(
        favorites: Set<Day>, collections: [String: Set<Day>] = [:], depth: ScanDepth = .files
    ) async throws -> Outcome {
        var build = GalleryBuild(
            store: store, favorites: favorites,
            collections: FavoriteCollection.all(collections, of: favorites),
            depth: cache == nil ? .files : depth,
            cache: cache ?? loadCache())
        // A failed build leaves no valid cache.
        cache = nil
        try await build.run()
        cache = build.cache
        // Also if the pages are the same: the next start must not build them again.
        try store.publish(build.cache.json.document, at: BuildCache.path)
        return build.outcome
    }

    private func loadCache() -> BuildCache {
        let bytes = try? store.tree.root.read(BuildCache.path)
        return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { BuildCache($0) } ?? BuildCache()
    }
}
