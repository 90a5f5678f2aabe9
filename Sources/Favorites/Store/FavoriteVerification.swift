package import APOD
package import Maintenance
package import Mirror
package import Platform

/// What `apod-mirror verify` expects of favorites, by the records and pins that exist at the creation.
package struct FavoriteVerification: Sendable {
    private let tree: Tree
    private let book: Book
    private let resolver: LinkResolver

    package init(of tree: Tree) throws(SystemError) {
        self.tree = tree
        book = try FavoriteStore(tree: tree).book()
        resolver = try LinkResolver(of: tree)
    }

    /// The path of the pin of each day that has one.
    package var pins: [Day: String] { book.pins.mapValues(path) }

    /// The path at which the picture or video at `mediaPath` must be pinned.
    ///
    /// - Returns: `nil` if `day` has no item in `favorites/`, and so needs no pin, or if the path has an
    ///   extension that no file of a mirror has.
    package func expectedPin(of day: Day, mediaPath: String) -> String? {
        guard let favorite = book.favorites[day], !favorite.isMissing else { return nil }
        return FavoriteStore.pinName(of: day, for: mediaPath).map(path)
    }

    private func path(_ name: String) -> String { "\(FavoriteStore.folder)/\(name)" }

    /// Damaged and missing records, broken links in `favorites/`, and unknown items beside the records.
    package func findings() -> [VerifyFinding] {
        let damaged = book.damaged.sorted().map { day in
            VerifyFinding(
                path(Layout.record(of: day)), of: day,
                .unreadableRecord("not the record of a favorite"))
        }
        let missing = book.daysOfLostRecords.sorted().map { day in
            VerifyFinding(
                path(Layout.record(of: day)), of: day,
                .absent(expected: "the record of the favorite"))
        }
        return damaged + missing + brokenLinks() + unknownItems()
    }

    /// The links of favorites that lead into the tree and to nothing, though the picture of their day exists.
    private func brokenLinks() -> [VerifyFinding] {
        let targets = LinkTargets(tree: tree, pins: book.pins)
        return book.favorites.values.sorted { $0.day < $1.day }.flatMap { favorite in
            favorite.names.compactMap { name -> VerifyFinding? in
                // A record or file that cannot be read is a finding of the verification of its day.
                guard let target = tree.root.target(bytes: name.path),
                    case .inside(let inside) = resolver.destination(target, from: name),
                    tree.root.isCertainlyMissing(inside.bytes),
                    let record = try? targets.dayRecord(of: favorite.day),
                    (try? targets.mediaPath(in: record)) != nil
                else { return nil }
                return VerifyFinding(
                    "\(Layout.favorites)/\(name.text)", of: favorite.day,
                    .wrongContents(expected: "a link to the picture", found: "a broken link"))
            }
        }
    }

    /// The items beside the records that this program did not make.
    private func unknownItems() -> [VerifyFinding] {
        // Reading the records has reported a folder that cannot be read.
        let names = (try? tree.root.names(in: FavoriteStore.folder)) ?? []
        return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            return FavoriteStore.isOwn(name)
                ? nil : VerifyFinding(unknown: bytes, in: FavoriteStore.folder, of: tree.root)
        }
    }
}

extension FavoriteStore {
    /// Whether the program makes files, or a folder, of this name beside the records.
    fileprivate static func isOwn(_ name: String) -> Bool {
        let day = FileName.day(of: name)
        let documents = day.map { [Layout.record(of: $0)] } ?? [directoryName, rootPathsName]
        let others = day.map(pinNames(of:)) ?? [newFolderName]
        return (documents + others).contains(name)
            || documents.contains { name.hasPrefix($0 + damagedSuffix) }
    }
}
