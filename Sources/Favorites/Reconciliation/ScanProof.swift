internal import APOD
internal import Platform

/// Tells whether an item that a scan of `favorites/` does not list is gone, or may be where the scan could not read.
///
/// ``Reconciliation`` removes a favorite only if the scan read every place where its item may be. All paths are
/// relative to `favorites/`.
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
    /// The paths of the items that refer to days.
    private let references: Set<[UInt8]>
    /// The paths of all items.
    private let items: Set<[UInt8]>
    /// Whether there is an unread item whose name no record has: it may be the file of any favorite, under a new name.
    private let hasUnreadNewFile: Bool
    /// Whether such an unread item is a link with an unreadable destination: it may be the renamed link of any favorite.
    private let hasUnreadNewLink: Bool
    /// Whether there is an item whose name no record has, and whose type the scan could not read, as while a disk fails: it may
    /// be the item of any favorite, under a new name.
    private let hasUnknownNewItem: Bool

    /// - `references`: The items of `scan` that refer to days.
    /// - `unreadFiles`: The paths of the files of `scan` that were not read.
    /// - `recorded`: The favorites before the scan.
    /// - `lastDirectory`: The directory that was `favorites/` in the last complete scan; `nil` if that is not known.
    init(
        of scan: Scan, references: [FavoriteReference], unreadFiles: [[UInt8]] = [],
        recorded: [Day: Favorite], lastDirectory: DirectoryIdentity?
    ) {
        let recordedPaths = Set(recorded.values.flatMap(\.names).map(\.bytes))
        scope = Scope(of: scan, lastDirectory: lastDirectory)
        unreadPaths = Set(scan.failures.map(\.path) + unreadFiles)
        mayHideFolders = !scan.failures.isEmpty
        readFolders = scan.folders
        self.references = Set(references.map(\.name.bytes))
        items = Set(scan.items.map(\.name.bytes))
        let newUnreadPaths = unreadFiles.filter { !recordedPaths.contains($0) }
        hasUnreadNewFile = !newUnreadPaths.isEmpty
        hasUnreadNewLink =
            hasUnreadNewFile
            && scan.items.contains {
                $0.kind == .symbolicLink && newUnreadPaths.contains($0.name.bytes)
            }
        hasUnknownNewItem = scan.failures.contains {
            $0.isUnknownItem && !recordedPaths.contains($0.path)
        }
    }

    /// Whether the recorded item `name` may still exist, although the scan found no item of that name for its day.
    func mayExist(_ name: FavoriteName) -> Bool {
        // An item has the name, but refers to another day now.
        if references.contains(name.bytes) { return false }
        guard scope == .sameDirectory else { return true }
        // mutation test: replaced-path
        if isReplaced(name.bytes, in: name.folders.map(\.bytes)) { return true }
        return mayBeUnread(name)
    }

    /// Whether the recorded item `name` may be where the scan of the directory could not read.
    private func mayBeUnread(_ name: FavoriteName) -> Bool {
        let folders = name.folders.map(\.bytes)
        // If the folder of the item is gone, it may be the unreadable folder, under a new name. So an item is certainly gone
        // only if its folder was read. `favorites/` itself was read, as the scope says.
        if mayHideFolders, let folder = folders.last, !readFolders.contains(folder) { return true }
        // mutation test: unreadable-path
        return !unreadPaths.isDisjoint(with: folders + [name.bytes])
    }

    /// Whether something else has the path of an item now, or the path of a folder above it.
    ///
    /// Then a program may have replaced the item: it wrote a file in place of a link, or moved a folder away and left a link to
    /// it. If nothing has the path, the item is gone, even if its folder is a new one of the same name.
    private func isReplaced(_ path: [UInt8], in folders: [[UInt8]]) -> Bool {
        items.contains(path) || readFolders.contains(path)
            || folders.contains(where: items.contains)
    }

    /// Whether `favorite` may have an item, although the scan lists none; its recorded names decide.
    ///
    /// In another directory, such as a copy, it may have one only where the scan could not read.
    func mayHaveItem(_ favorite: Favorite) -> Bool {
        let mayBeRenamed = favorite.fileNames.isEmpty ? hasUnreadNewLink : hasUnreadNewFile
        let mayHave = scope == .otherDirectory ? mayBeUnread : mayExist
        return mayBeRenamed || hasUnknownNewItem || favorite.names.contains(where: mayHave)
    }
}
