internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

extension FavoriteCommands {
    /// What each command on favorites reads first: `favorites/` and the records, as a daemon would reconcile them.
    struct Snapshot {
        let scan: Scan
        let classified: ClassifiedScan
        /// The records and pins on the disk.
        let contents: FavoriteStore.Contents
        /// The favorites after the changes that the daemon would record now.
        let changes: FavoriteChanges
        let targets: LinkTargets

        /// The favorites without an item in `favorites/`.
        var missing: [Day: Favorite] { changes.favorites.filter(\.value.isMissing) }

        /// What in `favorites/` could not be read: a favorite that seems missing may have its item there.
        var failures: [DirectoryListing.UnreadableItem] {
            scan.failures + classified.unreadableFiles
        }

        /// Why a recorded link to `favorite` may exist that is not in `found`; `nil` if no reason is known.
        ///
        /// If some of its links were found, another one may have been moved to any path that could not be read. If none
        /// was found, only its recorded paths and their folders count.
        func failure(ofLinksTo favorite: Favorite, besides found: [FavoriteName]) -> SystemError? {
            let lost = Set(favorite.names).subtracting(found)
            let isMoved = !found.isEmpty && !lost.isEmpty
            let paths = Set(favorite.names.flatMap { $0.folders + [$0] }.map(\.bytes))
            return failures.first { isMoved || paths.contains($0.path) }?.error
        }

        /// Throws if `favorites/` itself cannot be read, so that all links would seem to be missing.
        func requireReadableFolder() throws {
            switch scan.place {
            case .unreadable(let error): throw error
            case .notADirectory: throw FavoriteError.notADirectory
            case .folder, .missing: break
            }
            // The path is empty for the folder itself.
            if let failure = scan.failures.first(where: { $0.path.isEmpty }) { throw failure.error }
        }

        func isPresent(_ day: Day) -> Bool { changes.favorites[day].map { !$0.isMissing } ?? false }

        /// The day of the item that `text` names, else of the favorite that had such an item.
        func day(ofItem text: String) -> Day? {
            classified.references.first { $0.name.matches(text) }?.day
                ?? changes.favorites.values.lastPresent(withItem: text)?.day
        }
    }

    /// Throws an error of reading the records; what is unreadable in `favorites/` is a failure of the snapshot.
    func readSnapshot() throws -> Snapshot {
        let scan = Scan(of: tree.root)
        let contents = try store.contents()
        let removed = try ifReadable(store.removedFavorites()) ?? [:]
        var cache = ClassificationCache()
        let classified = ClassifiedScan(
            scan, in: tree, resolver: try LinkResolver(of: tree), recorded: contents.favorites,
            removed: removed, cache: &cache, now: Int(now().timeIntervalSince1970))
        let changes = FavoriteChanges(
            recorded: contents.favorites, references: classified.references,
            proof: ScanProof(
                of: scan, classified, recorded: contents.favorites,
                last: try store.lastScannedDirectory()),
            // Requests that cannot be read, as by a user without the right, are left to the daemon, which reports
            // errors: until then, their favorites stay in the list.
            forgetRequests: try ifReadable(store.forgetRequests()) ?? [], now: now(),
            uptime: uptime())
        return Snapshot(
            scan: scan, classified: classified, contents: contents, changes: changes,
            targets: LinkTargets(tree: tree, pins: contents.pins))
    }

    /// The day that `argument` names by itself, see ``DayArgument``, or by the path of an item in `favorites/`.
    ///
    /// The name of an item without its folder does not count: it may be another day.
    func namedDay(_ argument: String, in snapshot: Snapshot) throws -> Day {
        let isPath = argument.hasPrefix("\(Layout.favorites)/")
        if isPath, let day = snapshot.day(ofItem: argument) { return day }
        guard let day = try dayArgument(argument) else { throw FavoriteError.invalidDay(argument) }
        return day
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(argument, in: tree, at: now())
    }
}

extension FavoriteName {
    /// Whether `text` is this name, also with `favorites/` before it or escaped as `favorites list` prints it.
    fileprivate func matches(_ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) || path.elementsEqual(text.utf8)
            || [escaped, "\(Layout.favorites)/\(escaped)"].contains(text)
    }
}

extension Sequence<Favorite> {
    /// The favorite that has or had the item that `text` names; of several, the one that was present last.
    func lastPresent(withItem text: String) -> Favorite? {
        filter { $0.names.contains { $0.matches(text) } }
            .max { $0.lastPresent < $1.lastPresent }
    }
}
