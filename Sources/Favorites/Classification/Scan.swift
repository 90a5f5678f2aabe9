package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// What is in `favorites/`, for the comparison with the records; paths are relative to that folder.
package struct Scan: Hashable, Sendable {
    /// The scanned directory; `nil` if there is none or it could not be opened, see ``failures``.
    package let place: DirectoryIdentity?
    /// All items at any depth, without folders and hidden names, in no order.
    package var items: [ScannedItem] = []
    /// What could not be read, or where something is mounted: the scan proves no absence at or below these paths.
    ///
    /// The path of `favorites/` itself is empty, here and in ``folders``.
    package var failures: [DirectoryListing.UnreadableItem] = []
    /// The folders that were read.
    var folders: Set<[UInt8]> = []
    /// The days that commands asked to forget before the scan: they had deleted the items, so that a listed one is new.
    var forgetRequests: Set<Day> = []
    /// How long the folder was read, if that is known.
    package var duration = Duration.zero

    /// Whether nothing has the name `favorites` in the root of the tree.
    var isMissing: Bool { place == nil && failures.isEmpty }

    /// Why `favorites/` itself could not be read to its end: `ENOTDIR` or `ELOOP` if a file or a link has its name.
    var failure: SystemError? { failures.first { $0.path.isEmpty }?.error }

    /// Whether the scan may lack items of any name, because there is no folder or it could not be read to its end.
    var isPartial: Bool { place == nil || failure != nil }
}

// MARK: Reading

extension Scan {
    /// Skips hidden names; beyond 100,000 items and folders, or fewer with long names, the scan is partial.
    package static let rules = ScanRules(bytes: 32_000_000) { IgnoreRules.isHidden($0) }

    /// Scans `favorites/` of the tree at `root`: follows no link and opens folders only.
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
    /// `nil` if the path of `entry` has a part that is no name.
    init?(_ entry: DirectoryListing.ListedItem) {
        guard let name = FavoriteName(entry.path) else { return nil }
        let status = entry.status
        self.init(
            name: name, kind: entry.kind, identity: entry.identity, size: status?.size ?? 0,
            linkTarget: entry.target.map(Array.init), modified: status?.exactlyModified ?? .zero,
            changed: status?.exactlyChanged ?? .zero)
    }

    /// The latest time of the last change: the kernel's clock of file times has ticks of up to 10 milliseconds.
    var lastChange: Date { Date(timeIntervalSince1970: changed / .seconds(1) + 0.01) }

    /// Whether the last change was more than two seconds before or after `now`, in seconds since 1970.
    ///
    /// A second change within one tick of the kernel's clock would not change the time.
    func isSettled(at now: Int) -> Bool {
        // A user can set any time: a difference could overflow.
        !(now - 2...now + 2).contains(Int(changed.components.seconds))
    }
}
