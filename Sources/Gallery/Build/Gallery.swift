package import APOD
internal import Glibc
internal import JSON
package import Mirror
internal import Platform

/// The gallery of a mirror: `index.html` in its root, and a page for each year, the favorites and the
/// search in `gallery/`.
///
/// Everything is made from what lies in the tree, so all of it may be removed. A page is written only
/// when its bytes change, and in one step: a browser sees the page before or the page after.
package actor Gallery {
    /// How closely the tree is looked at.
    package enum Look: Sendable {
        /// For files that came and went, which is all that we ourselves do.
        case folders
        /// For files that somebody wrote into, too.
        case files
    }

    private let store: Store
    private let program: String
    private var memory: BuildCache?

    /// - Parameter store: That of a tree which is open for writing.
    package init(store: Store) {
        self.store = store
        program = Self.program
    }

    /// Makes the pages true to the tree.
    ///
    /// - Parameters:
    ///   - favorites: The days that are favorites.
    ///   - collections: Those of each folder inside `favorites/`, by its path there.
    ///   - look: How closely to look; the first look is always the close one.
    /// - Returns: The paths of the pages that had to be written, relative to the root.
    /// - Throws: ``GalleryError`` or `CancellationError`; pages that were written stay, and the next call
    ///   goes on.
    @discardableResult
    package func refresh(
        favorites: Set<Day>, collections: [String: Set<Day>] = [:], look: Look = .files
    ) async throws -> [String] {
        let earlier = memory ?? remembered()
        var pass = GalleryBuild(
            store: store, favorites: favorites,
            collections: FavoriteCollection.all(collections, of: favorites),
            look: memory == nil ? .files : look,
            memory: earlier)
        // Until it is through nothing is taken for granted.
        memory = nil
        do {
            try await pass.run()
        } catch {
            throw error is CancellationError ? error : GalleryError(error)
        }
        memory = pass.memory
        if !pass.written.isEmpty || earlier.pages.isEmpty { try remember(pass.memory) }
        if let problem = pass.problem { throw GalleryError(problem) }
        return pass.written
    }

    private func remembered() -> BuildCache {
        let bytes = try? store.tree.root.read(BuildCache.path)
        let memory = bytes.flatMap { try? JSON(parsing: $0) }.flatMap { BuildCache($0) }
        guard var memory else { return BuildCache(program: program) }
        if memory.program != program { memory.becomeUntrue(of: program) }
        return memory
    }

    private func remember(_ memory: BuildCache) throws(GalleryError) {
        do {
            try store.publish(memory.json.document, at: BuildCache.path)
        } catch {
            throw GalleryError(error)
        }
    }

    /// The file that this program is, told from any other version of it.
    private static var program: String {
        let path = "/proc/self/exe"
        let status = try? FileDescriptor(opening: path, O_RDONLY).status(path: path)
        return status.map { "\($0.identity.inode) \($0.size) \($0.modified)" } ?? ""
    }
}
