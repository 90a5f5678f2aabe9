internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One look at all that decides about favorites: the items in `favorites/`, the records of favorites, and the mirror.
///
/// The daemon makes a survey for each change in `favorites/`, and records what the survey shows. A command such as
/// `favorites list` makes one, too, so that it knows what the daemon will record.
struct Survey {
    let scan: Scan
    /// The items of ``scan`` with the days to which they refer.
    let classified: ClassifiedScan
    /// The favorites as they were recorded before the scan.
    let stored: StoredFavorites
    /// The favorites after the scan, and which of them change.
    let reconciliation: Reconciliation
    let mirrored: MirroredFavorites

    /// Classifies the items of `scan`, and compares them with the favorites that are `stored`.
    ///
    /// `knownFiles` were updated after the scan before this one. The other parameters are those of ``Reconciliation``.
    init(
        of scan: Scan, in mirror: Store, comparedWith stored: StoredFavorites,
        knownFiles: KnownFiles = KnownFiles(), lastDirectory: ScannedDirectory?,
        now: Date, uptime: Uptime, readingTime: ReadingTime = .unlimited
    ) {
        classified = ClassifiedScan(
            scan, in: mirror, recorded: stored, knownFiles: knownFiles, now: now,
            readingTime: readingTime)
        reconciliation = Reconciliation(
            of: stored, with: scan, references: classified.references,
            unreadFiles: classified.unreadFiles.map(\.path), lastDirectory: lastDirectory,
            now: now, uptime: uptime)
        self.scan = scan
        self.stored = stored
        mirrored = MirroredFavorites(mirror: mirror, pins: stored.pins)
    }

    /// The favorites without an item in `favorites/`.
    var missing: [Day: Favorite] { reconciliation.favorites.filter(\.value.isMissing) }

    /// The names that the scan adds to the records of favorites.
    var newNames: Set<FavoriteName> {
        reconciliation.changed.reduce(into: []) { names, favorite in
            let earlierNames = stored.favorites[favorite.day]?.names ?? []
            names.formUnion(Set(favorite.names).subtracting(earlierNames))
        }
    }

    /// The items that refer to no day, and the folders and items that could not be read, in the order of names.
    var unrecognized: [UnrecognizedItem] {
        let unreadable = scan.failures.compactMap { failure in
            FavoriteName(failure.path).map { UnrecognizedItem($0, .unreadable(failure.error)) }
        }
        return (classified.unrecognized + unreadable).sorted { $0.name < $1.name }
    }

    /// The places in `favorites/` that could not be read: a favorite that seems missing may have its item there.
    var failures: [DirectoryListing.UnreadableItem] { scan.failures + classified.unreadFiles }

    /// Whether an item in `favorites/` makes the day a favorite.
    func isPresent(_ day: Day) -> Bool { reconciliation.favorites[day]?.isMissing == false }

    /// The day of the item that a person calls `text`; if the item is gone, the day of the favorite that had it.
    func day(ofItem text: String) -> Day? {
        classified.references.first { $0.name.matches(text) }?.day
            ?? reconciliation.favorites.values.lastPresent(withItem: text)?.day
    }
}

extension FavoriteName {
    /// Whether a person may mean this name by `text`: `x.jpg`, `favorites/x.jpg`, or the form that `favorites list` prints.
    fileprivate func matches(_ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) || path.elementsEqual(text.utf8)
            || [escaped, "\(Layout.favorites)/\(escaped)"].contains(text)
    }
}

extension Sequence<Favorite> {
    /// The favorite that has or had the item that a person calls `text`; if there are several, the one that was present last.
    func lastPresent(withItem text: String) -> Favorite? {
        filter { $0.names.contains { $0.matches(text) } }
            .max { $0.wasPresent(before: $1) }
    }
}
