internal import APOD
internal import Platform

/// What a scan proves about names in `favorites/` that it does not list.
///
/// ``FavoriteChanges`` believes that an item is gone only if the scan proves its absence.
package struct ScanProof: Hashable, Sendable {
    /// What was scanned: the same directory as in the last scan, another one, or only a part.
    package enum Scope: Hashable, Sendable {
        case sameDirectory
        case otherDirectory
        case partial

        init(of scan: Scan, last: ScannedDirectory?) {
            // mutation test: partial-scan
            guard !scan.isPartial, case .folder(let place) = scan.place else {
                self = .partial
                return
            }
            // mutation test: other-directory
            self = last?.place == place ? .sameDirectory : .otherDirectory
        }
    }

    let scope: Scope
    /// Items may exist at or below these paths.
    private let unreadablePaths: Set<[UInt8]>
    /// The folders that were read; `nil` if all were.
    ///
    /// A folder that could not be read may be any missing one under a new name.
    private let readFolders: Set<[UInt8]>?
    /// Whether an unreadable file has no recorded name: it may be the renamed file of any favorite.
    private let hasUnknownFile: Bool

    package init(
        scope: Scope, unreadablePaths: Set<[UInt8]> = [], readFolders: Set<[UInt8]>? = nil,
        hasUnknownFile: Bool = false
    ) {
        self.scope = scope
        self.unreadablePaths = unreadablePaths
        self.readFolders = readFolders
        self.hasUnknownFile = hasUnknownFile
    }

    /// Whether an item called `name` may exist although the scan does not list it.
    func mayExist(_ name: FavoriteName) -> Bool {
        guard scope == .sameDirectory else { return true }
        let folders = name.folders.map(\.bytes)
        if let readFolders, let folder = folders.last, !readFolders.contains(folder) { return true }
        // mutation test: unreadable-path
        return !unreadablePaths.isDisjoint(with: folders + [name.bytes])
    }

    /// Whether `favorite`, of which the scan lists no item, may have one.
    func mayHaveItem(_ favorite: Favorite) -> Bool {
        hasUnknownFile && favorite.kind != .link || favorite.names.contains(where: mayExist)
    }
}

extension ScanProof {
    /// `last` is the directory of the last full scan.
    init(
        of scan: Scan, _ classified: ClassifiedScan, recorded: [Day: Favorite],
        last: ScannedDirectory?
    ) {
        // After the failures of the scan, which come first, are those of reading files.
        let unreadFiles = classified.failures.dropFirst(scan.failures.count).map(\.path)
        let recordedNames: Set<[UInt8]> =
            unreadFiles.isEmpty ? [] : Set(recorded.values.flatMap(\.names).map(\.bytes))
        self.init(
            scope: Scope(of: scan, last: last),
            unreadablePaths: Set(classified.failures.map(\.path)),
            readFolders: scan.failures.isEmpty ? nil : scan.folders,
            hasUnknownFile: unreadFiles.contains { !recordedNames.contains($0) })
    }
}
