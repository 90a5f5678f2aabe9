package import FoundationEssentials
package import Mirror
package import Platform

/// Reconciles `favorites/` of a tree with the records of favorites.
///
/// Start, events, overflow, the hourly scan, SIGHUP, `--once` and the commands all call
/// ``reconcile(_:checksAll:)``. After an interruption between any two steps the next call continues. The
/// owner of an instance has the tree open for writing.
package actor Favorites {
    private let tree: Tree
    private var resolver: LinkResolver?
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Uptime
    private var contents: FavoriteStore.Contents?
    private var cache = ClassificationCache()

    /// `uptime` is the time by a clock that nobody sets.
    package init(
        tree: Tree, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.tree = tree
        self.now = now
        self.uptime = uptime
    }

    private var store: FavoriteStore { FavoriteStore(tree: tree) }

    /// Reads the records before the first scan, and makes the folder of requests, which is then watched.
    package func prepare() throws {
        _ = try? store.repairRequestDirectory()
        contents = try contents ?? store.contents()
    }

    /// Applies the difference between a scan and the records.
    ///
    /// `checksAll` if the mirror may have changed: all favorites are checked, and unrecognized files are read again.
    ///
    /// - Returns: The durable changes, and the failures of single steps.
    /// - Throws: An error of reading the records.
    package func reconcile(_ scan: Scan, checksAll: Bool = true) throws -> ReconcileOutcome {
        if checksAll { cache.removeUnrecognized() }
        let resolver = try self.resolver ?? LinkResolver(of: tree)
        self.resolver = resolver
        var reconciler = Reconciler(
            tree: tree, resolver: resolver, contents: try contents ?? store.contents(), now: now(),
            uptime: uptime(), checksAll: checksAll)
        reconciler.run(scan, cache: &cache)
        // After a failure the records are read from the disk again.
        contents = reconciler.outcome.failures.isEmpty ? reconciler.contents : nil
        return reconciler.outcome
    }
}
