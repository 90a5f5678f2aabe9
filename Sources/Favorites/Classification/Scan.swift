package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// One reading of `favorites/`: the items in it, and the places that could not be read.
///
/// ``Reconciliation`` compares it with the records of favorites. Paths are relative to `favorites/`, whose own path is empty.
package struct Scan: Hashable, Sendable {
    /// What was found at `favorites/`.
    package enum Place: Hashable, Sendable {
        case nothing
        /// One of the ``Scan/failures`` says why it could not be opened.
        case unreadable
        case directory(DirectoryIdentity)
    }

    package let place: Place
    /// All items at any depth, without folders and hidden names, in no order.
    package var items: [ScannedItem] = []
    /// The paths that could not be read, or where another file system is mounted: unknown items may be there or below.
    package var failures: [DirectoryListing.UnreadableItem] = []
    /// The folders that were read.
    var folders: Set<[UInt8]> = []
    /// The days that commands asked to remove before the scan.
    ///
    /// Such a command first deletes the items of the day. Therefore, an item that the scan found was made after the request.
    var forgetRequests: Set<Day> = []
    /// Whether ``FavoriteStore/lastScannedDirectory()`` could be read, so that this directory can be compared with the last one.
    var isComparable = true
    /// How long it took to read the folder; zero if that was not measured.
    package var duration = Duration.zero

    /// The directory that was read; `nil` if there is none.
    var directory: DirectoryIdentity? {
        if case .directory(let identity) = place { identity } else { nil }
    }

    /// Why `favorites/` itself could not be read to its end: `ENOTDIR` or `ELOOP` if a file or a link has its name.
    package var failure: SystemError? { failures.first { $0.path.isEmpty }?.error }

    /// Whether a missing item proves nothing: there is no folder, it could not be read to its end, or it may be another one.
    var isPartial: Bool { directory == nil || failure != nil || !isComparable }
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
            place: listing.map { .directory($0.identityAcrossReboots) } ?? .nothing,
            items: listing?.items.compactMap(ScannedItem.init) ?? [],
            failures: listing?.failures ?? [], folders: listing?.directories ?? [],
            forgetRequests: listing == nil ? [] : requests)
    }

    package init(failing error: SystemError) {
        self.init(place: .unreadable, failures: [.init(path: [], error: error)])
    }
}

extension DirectoryListing.UnreadableItem {
    /// What follows for the removal of favorites, as ``ScanProof`` decides it: a sentence for the log.
    var notice: String {
        if isBeyondLimit {
            "favorites/ is too large to scan: no favorite is removed until it has fewer than 100,000 items"
        } else if path.isEmpty, error.isNotDirectory {
            "favorites/ is not a directory; move it away, then it is created again with its links"
        } else if path.isEmpty {
            "\(error): no favorite is removed until it can be read"
        } else if isUnknownItem {
            "\(error): until it can be read, no favorite is removed whose link or file may have got this name"
        } else {
            "\(error): until it can be read, no favorite is removed whose link was in it or in a deleted folder"
        }
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
    /// `nil` if the path of `item` is no valid ``FavoriteName``.
    init?(_ item: DirectoryListing.Item) {
        guard let name = FavoriteName(item.path) else { return nil }
        switch item.details {
        case .link(let target):
            self.init(
                name: name, kind: item.kind, identity: item.identity, size: 0, linkTarget: target)
        case .other(let status):
            self.init(
                name: name, kind: item.kind, identity: item.identity, size: status.size,
                linkTarget: nil, modified: status.exactlyModified, changed: status.exactlyChanged)
        }
    }

    /// A time at which the last change was over: the kernel rounds times down, by up to 10 milliseconds.
    var latestPossibleChange: Date {
        Date(timeIntervalSince1970: changed / .seconds(1) + 0.01)
    }

    /// Whether the last change was within two seconds of `now`, in seconds since 1970.
    ///
    /// Another change may then leave the time as it is.
    func hasJustChanged(at now: Int) -> Bool {
        // A difference could overflow, because the disk may have any time.
        (now - 2...now + 2).contains(Int(changed.components.seconds))
    }
}
