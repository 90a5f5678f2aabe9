internal import APOD
internal import Platform

/// What a scan of `favorites/` proves about items that it does not list: whether they are gone.
///
/// ``Reconciliation`` removes a favorite only if the scan read every place where its item may be. All paths are
/// relative to `favorites/`.
struct ScanProof: Sendable {
    enum Scope: Hashable, Sendable {
        /// All of the directory that was `favorites/` in the last full scan.
        case sameDirectory
        /// All of another directory, or the first scan of all.
        case otherDirectory
        /// A part of the directory, or nothing: no absence is proved.
        case partial

        init(of scan: Scan, last: DirectoryIdentity?) {
            // mutation test: partial-scan
            guard !scan.isPartial else {
                self = .partial
                return
            }
            // mutation test: other-directory
            self = last == scan.place ? .sameDirectory : .otherDirectory
        }
    }

    let scope: Scope
    /// The paths that could not be read: items may exist at or below them.
    private let unreadablePaths: Set<[UInt8]>
    private let readFolders: Set<[UInt8]>
    /// The paths of the items that refer to days.
    private let references: Set<[UInt8]>
    /// The paths of all items.
    private let items: Set<[UInt8]>
    /// Whether an unread item has no recorded name: it may be the renamed file of any favorite.
    private let hasUnreadNewFile: Bool
    /// Whether such an item is a link, which leads to what cannot be read: it may be any renamed link.
    private let hasUnreadNewLink: Bool
    /// Whether the scan could not examine an item without a recorded name, as while a disk fails: it may be the renamed
    /// item of any favorite.
    private let hasUnknownNewItem: Bool

    /// `references` and `unreadFiles` come from `scan`; `last` is the directory of the last full scan.
    init(
        of scan: Scan, references: [FavoriteReference], unreadFiles: [[UInt8]] = [],
        recorded: [Day: Favorite], last: DirectoryIdentity?
    ) {
        let recordedPaths = Set(recorded.values.flatMap(\.names).map(\.bytes))
        scope = Scope(of: scan, last: last)
        unreadablePaths = Set(scan.failures.map(\.path))
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

    /// Whether an item called `name`, which a record has and the scan did not find, may exist nevertheless.
    func mayExist(_ name: FavoriteName) -> Bool {
        // The item refers to another day now.
        if references.contains(name.bytes) { return false }
        guard scope == .sameDirectory else { return true }
        let folders = name.folders.map(\.bytes)
        // A missing folder may have been renamed to an unreadable one. So only an item directly in a folder that was
        // read is proved absent. An item without folders is in `favorites/` itself, which every full scan reads.
        if !unreadablePaths.isEmpty, let folder = folders.last, !readFolders.contains(folder) {
            return true
        }
        // mutation test: replaced-path
        if isReplaced(name.bytes, in: folders) { return true }
        // mutation test: unreadable-path
        return !unreadablePaths.isDisjoint(with: folders + [name.bytes])
    }

    /// Whether something else has the path of an item now, or is in place of a folder above it.
    ///
    /// Then a program may have replaced the item: it wrote a link as a file, or moved a folder away and linked it. An item
    /// that its folder lacks is gone, even if the folder is a new one of the same name.
    private func isReplaced(_ path: [UInt8], in folders: [[UInt8]]) -> Bool {
        items.contains(path) || readFolders.contains(path)
            || folders.contains(where: items.contains)
    }

    /// Whether `favorite` may have an item, though the scan lists none.
    ///
    /// Its names decide: a record without names, which a held favorite can have, is not protected here.
    func mayHaveItem(_ favorite: Favorite) -> Bool {
        let mayBeRenamed = favorite.kind == .link ? hasUnreadNewLink : hasUnreadNewFile
        return mayBeRenamed || hasUnknownNewItem || favorite.names.contains(where: mayExist)
    }
}
