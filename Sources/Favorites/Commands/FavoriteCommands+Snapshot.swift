internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// What each action reads first, `favorites/` and the records, and which day an argument names there.
extension FavoriteCommands {
    /// The favorites as a daemon would record them now, from a scan and the records.
    struct Snapshot {
        let scan: Scan
        let changes: FavoriteChanges
        let classified: ClassifiedScan
        let contents: FavoriteStore.Contents
        let targets: LinkTargets

        var missing: [Day: Favorite] { changes.favorites.filter(\.value.isMissing) }

        /// Throws if `favorites/` itself cannot be read, so that all links would seem to be missing.
        func requireReadableFolder() throws {
            switch scan.place {
            case .unreadable(let error): throw error
            case .notADirectory: throw FavoriteError.noFolder
            case .folder, .missing: break
            }
            if let failure = scan.failures.first(where: { $0.path.isEmpty }) { throw failure.error }
        }

        func isPresent(_ day: Day) -> Bool { changes.favorites[day].map { !$0.isMissing } ?? false }
    }

    func readSnapshot() throws -> Snapshot {
        let scan = Scan(of: tree.root)
        let contents = try store.contents()
        var cache = ClassificationCache()
        let classified = ClassifiedScan(
            scan, in: tree, resolver: try LinkResolver(of: tree), recorded: contents.favorites,
            removed: contents.removed, cache: &cache, now: 0)
        let changes = FavoriteChanges(
            recorded: contents.favorites, references: classified.references,
            proof: ScanProof(
                of: scan, classified, recorded: contents.favorites,
                last: try store.lastScannedDirectory()),
            // Without the requests, a favorite seems to be missing until the daemon has read them.
            forgetRequests: (try? store.forgetRequests()) ?? [], now: now(), uptime: uptime())
        return Snapshot(
            scan: scan, changes: changes, classified: classified, contents: contents,
            targets: LinkTargets(tree: tree, pins: contents.pins))
    }
}

// MARK: Days that arguments name

extension FavoriteCommands {
    /// The day that `argument` names; a copy in `favorites/` may have any name.
    func namedDay(_ argument: String, in classified: ClassifiedScan) throws -> Day {
        let prefix = "\(Layout.favorites)/"
        let name = argument.utf8.dropFirst(prefix.utf8.count)
        if argument.hasPrefix(prefix),
            let reference = classified.references.first(where: {
                $0.name.bytes.elementsEqual(name)
            })
        {
            return reference.day
        }
        guard let day = try dayArgument(argument) else { throw FavoriteError.noDay(argument) }
        return day
    }

    /// The day that `argument` names by itself, see ``DayArgument``; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(argument, in: tree, at: now())
    }
}

extension FavoriteCommands.Snapshot {
    /// The day of the item called `text`, else of the favorite whose item had that name.
    func day(called text: String) -> Day? {
        classified.references.first { $0.name.isCalled(text) }?.day
            ?? changes.favorites.values.called(text)?.day
    }
}

extension FavoriteName {
    /// Whether `text` is the name, unchanged or as `favorites list` prints it.
    func isCalled(_ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) || escaped == text
    }
}

extension Sequence<Favorite> {
    /// The favorite whose item has or had the name `text`; of several, the one that was present last.
    func called(_ text: String) -> Favorite? {
        filter { $0.names.contains { $0.isCalled(text) } }
            .max { $0.lastPresent < $1.lastPresent }
    }
}
