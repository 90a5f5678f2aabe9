internal import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// The favorites of a tree: what lies in `favorites/` is looked at, and what it means is kept.
///
/// There is one way for everything: start, events, an overflow, the hourly look, a signal, `--once` and
/// the commands all call ``reconcile(_:isAfresh:)``. It may end between any two steps; the next call
/// goes on. Whoever has one of these has the tree open for writing.
package actor Favorites {
    private let tree: Tree
    private let store: FavoriteStore
    private let reader: LinkReader
    private let now: @Sendable () -> Date
    private var known: FavoriteStore.Contents?
    private var remembered = Remembered()

    /// - Parameters:
    ///   - tree: Open for writing.
    ///   - spellings: Other absolute paths that lead to its root, as the user wrote it for instance.
    ///   - now: The time.
    package init(
        tree: Tree, spellings: [String] = [], now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.tree = tree
        self.now = now
        store = FavoriteStore(tree: tree)
        reader = LinkReader(roots: [tree.root.path] + spellings)
    }

    /// Reads the records now and not at the first ``reconcile(_:isAfresh:)``: what stays lies closer
    /// together in memory when it comes before what does not.
    package func prepare() throws { known = try known ?? store.contents() }

    /// Makes the records true to what was seen, and the folder to the records.
    ///
    /// - Parameters:
    ///   - scan: What lies in `favorites/`.
    ///   - isAfresh: Whether the mirror may have changed: files that were not understood are read again.
    /// - Returns: What changed, durably.
    /// - Throws: What stood in the way of writing; some of it may have been written.
    package func reconcile(_ scan: Scan, isAfresh: Bool = true) throws -> ReconcileOutcome {
        if isAfresh { remembered.forgetDoubts() }
        var pass = FavoritePass(
            tree: tree, store: store, reader: reader, contents: try known ?? store.contents(),
            now: now(), isAfresh: isAfresh)
        // Until it is through nothing is taken for granted: after an error the disk is asked again.
        known = nil
        try pass.run(scan, remembered: &remembered)
        known = pass.contents
        return pass.outcome
    }
}
