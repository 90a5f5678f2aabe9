package import APOD
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

    /// The times of the last change of the folders that could not be read, by their inodes.
    var unreadFolders: [String: String] {
        let folders = failures.compactMap(\.folder).map {
            ("\($0.identity.inode)", $0.changeOfItems)
        }
        return Dictionary(folders) { first, _ in first }
    }

    /// Why `favorites/` itself could not be read to its end, so that all links may seem to be missing; `nil` if it could.
    package var folderError: (any Error)? {
        guard let error = failures.first(where: { $0.path.isEmpty })?.error else { return nil }
        return error.isNotDirectory ? FavoriteError.notADirectory : error
    }

    /// Whether a missing item proves nothing: there is no folder, it could not be read to its end, or it may be another one.
    var isPartial: Bool { directory == nil || folderError != nil || !isComparable }
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

extension FileStatus {
    /// When an item was last made in this directory, moved into it, or removed from it.
    fileprivate var changeOfItems: String {
        let (seconds, attoseconds) = modificationTime.components
        return "\(seconds).\(attoseconds / 1_000_000_000)"
    }
}

extension DirectoryListing.UnreadableItem {
    /// Whether this is a folder into which items may have moved since the scan that could not read the `last` folders.
    ///
    /// One that this scan could read, or that is new, may have got items after it.
    func hasChanged(since last: [String: String]) -> Bool {
        guard let folder else { return false }
        return last["\(folder.identity.inode)"] != folder.changeOfItems
    }

    /// What follows for the removal of favorites, as ``ScanProof`` decides it: a sentence for the log.
    var notice: String {
        if isBeyondLimit {
            "favorites/ is too large to scan: no favorite is removed until it has fewer than 100,000 items"
        } else if path.isEmpty, error.isNotDirectory {
            "\(FavoriteError.notADirectory)"
        } else if path.isEmpty {
            "\(error): no favorite is removed until it can be read"
        } else if isUnknownItem {
            "\(error): until it can be read, no favorite is removed whose link or file may have got this name"
        } else if error.isOfUnreadableLink {
            "\(error.advice); until it can be read, no favorite is removed whose link was or may be in it"
        } else {
            "\(error): until it can be read, no favorite is removed whose link was or may be in it, or was in a deleted folder"
        }
    }
}
