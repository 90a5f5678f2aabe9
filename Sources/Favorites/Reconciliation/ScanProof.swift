internal import APOD
internal import Platform

/// What a scan of `favorites/` proves about items that it does not list: whether they are gone.
///
/// ``Reconciliation`` removes a favorite only if the scan read every place where its item may be. All paths are
/// relative to `favorites/`.
package struct ScanProof: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        /// All of the directory that was `favorites/` in the last full scan.
        case sameDirectory
        /// All of another directory, or the first scan of all.
        case otherDirectory
        /// A part of the directory, or nothing: no absence is proved.
        case partial

        init(of scan: Scan, last: ScannedDirectory?) {
            // mutation test: partial-scan
            guard !scan.isPartial else {
                self = .partial
                return
            }
            // mutation test: other-directory
            self = last?.place == scan.place ? .sameDirectory : .otherDirectory
        }
    }

    let scope: Scope
    /// Items may exist at or below these paths, which could not be read.
    var unreadablePaths: Set<[UInt8]> = []
    /// The folders that were read, if some were not; `nil` if all were.
    ///
    /// A missing folder may have been renamed to the unreadable one: only an item directly in a folder that
    /// was read is proved absent.
    var readFolders: Set<[UInt8]>?
    /// Recorded names that something else has now, or that have something else in place of a folder above them.
    ///
    /// It does not say what became of the item, which a program may have replaced: a link written as a file, a folder
    /// moved away and linked. What a folder lacks, also a new one of the same name, is gone.
    var replacedNames: Set<[UInt8]> = []
    /// Whether an unread file has no recorded name: it may be the renamed file of any favorite.
    var hasUnreadNewFile = false

    /// Whether an item called `name` may exist although the scan does not list it.
    func mayExist(_ name: FavoriteName) -> Bool {
        guard scope == .sameDirectory else { return true }
        let folders = name.folders.map(\.bytes)
        // An item without folders is in `favorites/` itself, which every full scan reads.
        if let readFolders, let folder = folders.last, !readFolders.contains(folder) { return true }
        // mutation test: replaced-path
        if replacedNames.contains(name.bytes) { return true }
        // mutation test: unreadable-path
        return !unreadablePaths.isDisjoint(with: folders + [name.bytes])
    }

    /// Whether `favorite`, of which the scan lists no item, may have one.
    ///
    /// Its names decide: a record without names, which a held favorite can have, is not protected here.
    func mayHaveItem(_ favorite: Favorite) -> Bool {
        // By the kind of one of its items: each scan reads the text of a link, also of a renamed one.
        let mayBeNewFile = hasUnreadNewFile && favorite.kind != .link
        return mayBeNewFile || favorite.names.contains(where: mayExist)
    }
}

extension ScanProof {
    /// `last` is the directory of the last full scan.
    init(
        of scan: Scan, _ classified: ClassifiedScan, recorded: [Day: Favorite],
        last: ScannedDirectory?
    ) {
        let unreadFiles = classified.unreadFiles.map(\.path)
        let recordedNames: Set<[UInt8]> =
            unreadFiles.isEmpty ? [] : Set(recorded.values.flatMap(\.names).map(\.bytes))
        self.init(
            scope: Scope(of: scan, last: last),
            unreadablePaths: Set(scan.failures.map(\.path) + unreadFiles),
            readFolders: scan.failures.isEmpty ? nil : scan.folders,
            replacedNames: Self.replacedNames(in: scan, classified, recorded),
            hasUnreadNewFile: unreadFiles.contains { !recordedNames.contains($0) })
    }

    /// The recorded names without a reference that are something else in `scan`, or whose folder is.
    private static func replacedNames(
        in scan: Scan, _ classified: ClassifiedScan, _ recorded: [Day: Favorite]
    ) -> Set<[UInt8]> {
        let present = Set(classified.references.map(\.name))
        let lost = recorded.values.flatMap(\.names).filter { !present.contains($0) }
        guard !lost.isEmpty else { return [] }
        let items = Set(scan.items.map(\.name.bytes))
        let replaced = lost.filter { name in
            items.contains(name.bytes) || scan.folders.contains(name.bytes)
                || name.folders.contains { items.contains($0.bytes) }
        }
        return Set(replaced.map(\.bytes))
    }
}
