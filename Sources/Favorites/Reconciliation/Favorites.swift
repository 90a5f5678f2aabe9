internal import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// The favorites of a tree: what lies in `favorites/` is looked at, and what it means is kept.
///
/// There is one way for everything: start, events, an overflow, the hourly look, a signal, `--once` and
/// the commands all call ``reconcile(_:isFullScan:)``. It may end between any two steps; the next call
/// goes on. Whoever has one of these has the tree open for writing.
package actor Favorites {
    private let tree: Tree
    private let store: FavoriteStore
    private let reader: LinkReader
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Uptime
    private var known: FavoriteStore.Contents?
    private var remembered = ClassificationCache()

    /// - Parameters:
    ///   - tree: Open for writing.
    ///   - spellings: Other absolute paths that lead to its root, as the user wrote it for instance.
    ///   - now: The time.
    ///   - uptime: The time by a clock that nobody sets.
    package init(
        tree: Tree, spellings: [String] = [], now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.tree = tree
        self.now = now
        self.uptime = uptime
        store = FavoriteStore(tree: tree)
        reader = LinkReader(roots: [tree.root.path] + spellings)
    }

    /// Reads the records now and not at the first ``reconcile(_:isFullScan:)``: what stays lies closer
    /// together in memory when it comes before what does not.
    package func prepare() throws {
        // Before the first look, which watches it.
        _ = try? store.repairRequests()
        known = try known ?? store.contents()
    }

    /// Makes the records true to what was seen, and the folder to the records.
    ///
    /// - Parameters:
    ///   - scan: What lies in `favorites/`.
    ///   - isFullScan: Whether the mirror may have changed: files that were not understood are read again.
    /// - Returns: What changed, durably, and what could not be done.
    /// - Throws: What stood in the way of reading what is recorded.
    package func reconcile(_ scan: Scan, isFullScan: Bool = true) throws -> ReconcileOutcome {
        if isFullScan { remembered.forgetDoubts() }
        var pass = Reconciler(
            tree: tree, store: store, reader: reader, contents: try known ?? store.contents(),
            now: now(), uptime: uptime(), isFullScan: isFullScan)
        pass.run(scan, remembered: &remembered)
        // After a failure nothing is taken for granted: the disk is asked again.
        known = pass.outcome.failures.isEmpty ? pass.contents : nil
        return pass.outcome
    }
}
