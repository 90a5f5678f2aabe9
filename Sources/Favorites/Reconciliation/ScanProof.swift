internal import APOD
internal import Platform

/// Tells whether an item that a scan of `favorites/` does not list is certainly gone, or may be where the scan could not read.
///
/// ``Reconciliation`` removes a favorite only if ``mayHaveItem(_:)`` and ``hasChangedUnreadFolder`` are `false`: then the scan has
/// read every place where an item of the favorite could be. All paths are relative to `favorites/`.
struct ScanProof: Sendable {
    /// How much of which directory was scanned.
    enum Scope: Hashable, Sendable {
        /// The whole of the directory that was `favorites/` in the last complete scan.
        case sameDirectory
        /// The whole of another directory, as after a disk was replaced, and in the first scan.
        case otherDirectory
        /// A part of the directory, nothing, or perhaps another directory. Every item that is not listed may exist.
        case partial

        init(of scan: Scan, lastDirectory: DirectoryIdentity?) {
            // mutation test: partial-scan (see Tests/Mutants)
            guard !scan.isPartial else {
                self = .partial
                return
            }
            // mutation test: other-directory
            self = lastDirectory == scan.directory ? .sameDirectory : .otherDirectory
        }
    }

    let scope: Scope
    /// The paths that could not be read, or not to their end: items may exist at or below them.
    private let unreadPaths: Set<[UInt8]>
    /// Whether a folder may be among these paths, under a new name.
    private let mayHideFolders: Bool
    private let readFolders: Set<[UInt8]>
    private let itemPaths: Set<[UInt8]>
    /// The paths of the items that refer to days.
    private let referencePaths: Set<[UInt8]>
    private let newUnreadItems: NewUnreadItems
    /// Whether a folder that could not be read has changed since the last scan, so that any item may have moved into it.
    ///
    /// A folder that stays as it is, such as a person's private collection, hides no item that was elsewhere before.
    let hasChangedUnreadFolder: Bool

    /// The parameters are those of ``Reconciliation``; `recorded` are the favorites before the scan.
    init(
        of scan: Scan, references: [FavoriteReference], unreadFiles: [[UInt8]] = [],
        recorded: [Day: Favorite], lastDirectory: ScannedDirectory?
    ) {
        scope = Scope(of: scan, lastDirectory: lastDirectory?.identity)
        let lastUnread = lastDirectory?.unread ?? [:]
        // mutation test: changed-unread-folder
        hasChangedUnreadFolder = scan.failures.contains { $0.hasChanged(since: lastUnread) }
        unreadPaths = Set(scan.failures.map(\.path) + unreadFiles)
        mayHideFolders = !scan.failures.isEmpty
        readFolders = scan.folders
        itemPaths = Set(scan.items.map(\.name.bytes))
        referencePaths = Set(references.map(\.name.bytes))
        newUnreadItems = NewUnreadItems(in: scan, unreadFiles: unreadFiles, recorded: recorded)
    }

    /// Whether `favorite` may have an item, although the scan lists none.
    func mayHaveItem(_ favorite: Favorite) -> Bool {
        if newUnreadItems.mayBelong(to: favorite) { return true }
        switch scope {
        case .sameDirectory, .partial: return favorite.names.contains(where: mayExist)
        // The recorded items were in another directory. This one, such as a copy, may have them where it could not be read.
        case .otherDirectory: return favorite.names.contains(where: isAtUnreadPlace)
        }
    }

    /// Whether the recorded item `name` may still exist, although the scan found no item of that name for its day.
    func mayExist(_ name: FavoriteName) -> Bool {
        // An item has the name, but refers to another day now.
        if referencePaths.contains(name.bytes) { return false }
        // A part of the directory, or another one, says nothing about the items of the recorded one.
        guard scope == .sameDirectory else { return true }
        // mutation test: replaced-path
        if isPathTaken(name) { return true }
        return isAtUnreadPlace(name)
    }

    /// Whether something else has the path of the item `name` now, or the path of a folder above it.
    ///
    /// Then a program may have written a file in place of a link, or moved a folder away and left a link to it. If nothing has
    /// the path, the item is gone, even if its folder is a new one of the same name.
    private func isPathTaken(_ name: FavoriteName) -> Bool {
        itemPaths.contains(name.bytes) || readFolders.contains(name.bytes)
            || name.folders.contains { itemPaths.contains($0.bytes) }
    }

    /// Whether the recorded item `name` may be where the scan of the directory could not read.
    private func isAtUnreadPlace(_ name: FavoriteName) -> Bool {
        let folders = name.folders.map(\.bytes)
        // If the folder of the item is gone, it may be the unreadable folder, under a new name. So an item is certainly gone
        // only if its folder was read. `favorites/` itself was read, as the scope says.
        if mayHideFolders, let folder = folders.last, !readFolders.contains(folder) { return true }
        // mutation test: unreadable-path
        return !unreadPaths.isDisjoint(with: folders + [name.bytes])
    }
}

/// What the unread items of a scan may be whose names no record has: each may be that of a favorite, under a new name.
private enum NewUnreadItems {
    case none
    case files
    /// Links, or items whose type could not be read, as while a disk fails.
    case anyItems

    init(in scan: Scan, unreadFiles: [[UInt8]], recorded: [Day: Favorite]) {
        let recordedPaths = Set(recorded.values.flatMap(\.names).map(\.bytes))
        let newPaths = Set(unreadFiles).subtracting(recordedPaths)
        let hasLink = scan.items.contains { item in
            item.kind == .symbolicLink && newPaths.contains(item.name.bytes)
        }
        let hasItemOfUnknownType = scan.failures.contains { failure in
            failure.isUnknownItem && !recordedPaths.contains(failure.path)
        }
        if hasLink || hasItemOfUnknownType {
            self = .anyItems
        } else {
            self = newPaths.isEmpty ? .none : .files
        }
    }

    /// Whether one of the items may be that of `favorite`: a file only if the favorite has files.
    func mayBelong(to favorite: Favorite) -> Bool {
        switch self {
        case .none: false
        case .files: !favorite.fileNames.isEmpty
        case .anyItems: true
        }
    }
}
