internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// What `favorites/`, the records and the mirror show together: what the daemon and every command on favorites read.
struct Survey {
    let scan: Scan
    let classified: ClassifiedScan
    /// The records and pins on the disk.
    let book: Book
    /// The favorites after the changes that the daemon records.
    let reconciliation: Reconciliation
    let targets: LinkTargets

    /// Classifies the items of `scan`, and compares them with the records.
    ///
    /// `known` are the files that the scan before knew. Other files are read until `isOverdue`, then left to a later scan.
    init(
        of scan: Scan, in mirror: Store, _ book: Book,
        known: [ScannedItem: Classification] = [:],
        last: ScannedDirectory?, now: Date, uptime: Uptime, isOverdue: (@Sendable () -> Bool)? = nil
    ) {
        classified = ClassifiedScan(
            scan, in: mirror, book, known: known,
            now: Int(now.timeIntervalSince1970), isOverdue: isOverdue)
        reconciliation = Reconciliation(
            of: book, with: scan, classified.references,
            unreadFiles: classified.unreadFiles.map(\.path), last: last?.place, now: now,
            uptime: uptime)
        self.scan = scan
        self.book = book
        targets = LinkTargets(mirror: mirror, pins: book.pins)
    }

    // MARK: Questions

    /// The favorites without an item in `favorites/`.
    var missing: [Day: Favorite] { reconciliation.favorites.filter(\.value.isMissing) }

    /// The items that refer to no day, and the folders and items that could not be read, in the order of names.
    var unrecognized: [UnrecognizedItem] {
        let unreadable = scan.failures.compactMap { failure in
            FavoriteName(failure.path).map { UnrecognizedItem($0, .unreadable(failure.error)) }
        }
        return (classified.unrecognized + unreadable).sorted { $0.name < $1.name }
    }

    /// What could not be read in `favorites/`: a favorite that seems missing may have its item there.
    var failures: [DirectoryListing.UnreadableItem] { scan.failures + classified.unreadFiles }

    /// Why `favorites/` itself cannot be read, so that all links would seem to be missing; `nil` if it can.
    var folderError: (any Error)? {
        guard let failure = scan.failure else { return nil }
        return failure.isNotDirectory ? FavoriteError.notADirectory : failure
    }

    func requireReadableFolder() throws { if let folderError { throw folderError } }

    func isPresent(_ day: Day) -> Bool {
        reconciliation.favorites[day]?.isMissing == false
    }

    /// The day of the item that `text` names, else of the favorite that had such an item.
    func day(ofItem text: String) -> Day? {
        classified.references.first { $0.name.matches(text) }?.day
            ?? reconciliation.favorites.values.lastPresent(withItem: text)?.day
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
    /// The favorite that has or had the item that `text` names; if there are several, the one that was present last.
    func lastPresent(withItem text: String) -> Favorite? {
        filter { $0.names.contains { $0.matches(text) } }
            .max { $0.lastPresent < $1.lastPresent }
    }
}
