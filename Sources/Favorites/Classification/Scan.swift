package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// One reading of `favorites/`: the items in it, and the places that could not be read.
///
/// ``Reconciliation`` compares it with the records of favorites. Paths are relative to `favorites/`, whose own path is empty.
package struct Scan: Hashable, Sendable {
    /// The directory that was read; `nil` if there is none, or if it could not be opened, which is one of the ``failures``.
    package let place: DirectoryIdentity?
    /// All items at any depth, without folders and hidden names, in no order.
    package var items: [ScannedItem] = []
    /// The paths that could not be read, or where another file system is mounted: unknown items may be there or below.
    package var failures: [DirectoryListing.UnreadableItem] = []
    /// The folders that were read.
    var folders: Set<[UInt8]> = []
    /// The days that commands asked to remove before the scan; they had deleted the items, so that a listed item is a new one.
    var forgetRequests: Set<Day> = []
    /// Whether ``FavoriteStore/lastScannedDirectory()`` could be read, so that this directory can be compared with the last one.
    var isComparable = true
    /// How long it took to read the folder; zero if that was not measured.
    package var duration = Duration.zero

    /// Whether nothing has the name `favorites` in the root of the tree.
    var isMissing: Bool { place == nil && failures.isEmpty }

    /// Why `favorites/` itself could not be read to its end: `ENOTDIR` or `ELOOP` if a file or a link has its name.
    package var failure: SystemError? { failures.first { $0.path.isEmpty }?.error }

    /// Whether a missing item proves nothing: there is no folder, it could not be read to its end, or it may be another one.
    var isPartial: Bool { place == nil || failure != nil || !isComparable }
}

// MARK: Reading

extension Scan {
    /// Hidden names are skipped; if there are more items and folders, the scan is partial.
    package static let rules = ScanRules(maximumNames: 100_000) { IgnoreRules.isHidden($0) }

    /// Scans `favorites/` of the tree at `root`: opens the folders in it, but no file, and follows no link.
    package init(of root: Directory) {
        let requests = FavoriteStore.forgetRequests(in: root)
        do {
            self.init(try root.listing(of: Layout.favorites, by: Self.rules), after: requests)
        } catch {
            self.init(failing: error)
        }
    }

    /// Makes a scan from a listing of `favorites/`, which is `nil` if there is no folder; `requests` were read before it.
    package init(_ listing: DirectoryListing?, after requests: Set<Day> = []) {
        self.init(
            place: listing?.identityAcrossReboots,
            items: listing?.items.compactMap(ScannedItem.init) ?? [],
            failures: listing?.failures ?? [], folders: listing?.directories ?? [],
            forgetRequests: listing == nil ? [] : requests)
    }

    package init(failing error: SystemError) {
        self.init(place: nil, failures: [.init(path: [], error: error)])
    }
}

/// An item in `favorites/` as lstat(2) and readlink(2) describe it.
package struct ScannedItem: Hashable, Sendable {
    package let name: FavoriteName
    package let kind: FileStatus.FileType
    package let identity: FileIdentity
    /// In bytes.
    package let size: Int
    /// The text of a symbolic link, empty if it is too long; `nil` for other items.
    package let linkTarget: [UInt8]?
    /// The times of the modification and of the last change since 1970; zero for symbolic links.
    var modified = Duration.zero
    var changed = Duration.zero
}

extension ScannedItem {
    /// `nil` if the path of `entry` is no valid ``FavoriteName``.
    init?(_ entry: DirectoryListing.ListedItem) {
        guard let name = FavoriteName(entry.path) else { return nil }
        let status = entry.status
        self.init(
            name: name, kind: entry.kind, identity: entry.identity, size: status?.size ?? 0,
            linkTarget: entry.target, modified: status?.exactlyModified ?? .zero,
            changed: status?.exactlyChanged ?? .zero)
    }

    /// A time at which the last change was certainly over: the kernel rounds times down, by up to 10 milliseconds.
    var lastChange: Date { Date(timeIntervalSince1970: changed / .seconds(1) + 0.01) }

    /// Whether the last change was within two seconds of `now`, in seconds since 1970, so that one more may not change the time.
    func hasJustChanged(at now: Int) -> Bool {
        // The disk may have any time, for which a difference could overflow.
        (now - 2...now + 2).contains(Int(changed.components.seconds))
    }
}
