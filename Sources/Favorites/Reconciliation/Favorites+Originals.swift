internal import APOD
internal import Mirror
internal import Platform

/// Returns pictures that a person moved out of `pictures/` into `favorites/`, the only file of the mirror.
///
/// The file is moved back, by way of ``FavoriteLinks/staging``, and a link with its name takes its place, so that
/// its day stays a favorite. Errors become events or failures of the ``outcome``.
extension Favorites {
    /// Returns the originals among the files of `classified`; `earlier` are the records and pins before the scan.
    func returnOriginals(
        _ classified: ClassifiedScan, after earlier: FavoriteStore.Contents
    ) {
        repairItems(of: [.copy, .hardLink], in: classified) { item, day throws(SystemError) in
            guard let folder = try tree.root.folder(item.name.folderPath),
                try !isKnownCopy(item, of: day, earlier),
                let original = try missingOriginal(item.name.last, in: folder, of: [day]),
                original.identity == item.identity,
                let replaced = try links.replace(item, withLinkTo: original.path)
            else { return }
            try move(replaced, to: original.path)
        }
    }

    /// Whether `item` is a copy that a person made earlier: it was a favorite while another file was the pin.
    private func isKnownCopy(
        _ item: ScannedItem, of day: Day, _ earlier: FavoriteStore.Contents
    ) throws(SystemError) -> Bool {
        guard let pin = earlier.pins[day],
            earlier.favorites[day]?.names.contains(item.name) ?? false,
            let status = try tree.root.status("\(FavoriteStore.folder)/\(pin)")
        else { return false }
        return status.identity != item.identity
    }

    private struct Original {
        /// Where the record says that the file is.
        let path: String
        let identity: FileIdentity
    }

    /// The file `name` in `folder` as the original of a recorded file of `days` that is missing in `pictures/`.
    ///
    /// It has the recorded bytes. It belongs to the owner of the tree, as a file does that was moved: another
    /// owner has made a copy. A copy by the owner is taken for the original, which does no harm.
    private func missingOriginal(
        _ name: [UInt8], in folder: Directory, of days: [Day]
    ) throws(SystemError) -> Original? {
        for day in days {
            // Without those that `--keep` removed.
            for recorded in try targets.dayRecord(of: day)?.files ?? [] {
                guard try tree.root.status(recorded.path) == nil,
                    try folder.status(name)?.size == recorded.bytes
                else { continue }
                let file = try folder.openToRead(name)
                let path = "\(folder.path)/\(String(decoding: name, as: UTF8.self))"
                let status = try file.status(path: path)
                guard status.kind == .file, try status.owner == tree.root.status().owner,
                    try file.sha256(path: path, limit: recorded.bytes) == recorded.sha256
                else { continue }
                return Original(path: recorded.path, identity: status.identity)
            }
        }
        return nil
    }

    /// Moves an original to its recorded path; after an error it is in either folder, and the next call goes on.
    private func move(_ item: ReplacedItem, to path: String) throws(SystemError) {
        let (above, last) = Layout.split(path)
        let folder = try tree.root.makeDirectory(above)
        try item.folder.renameDurably(item.name, to: folder, as: last)
        outcome.events.append(.originalReturned(path: path))
    }

    // MARK: Interruptions

    /// Finishes or undoes the replacements of items that an interruption has left in ``FavoriteLinks/staging``.
    func finishInterruptedMoves(_ classified: ClassifiedScan) {
        attempt { () throws(SystemError) in
            guard let staging = try tree.root.folder(FavoriteLinks.staging) else { return }
            for name in try staging.names() {
                attempt { () throws(SystemError) in
                    try finishMove(ReplacedItem(folder: staging, name: name), classified)
                }
            }
        }
    }

    /// Deletes a link that is not needed, moves an original to `pictures/`, and all else back to `favorites/`.
    private func finishMove(
        _ item: ReplacedItem, _ classified: ClassifiedScan
    ) throws(SystemError) {
        // The item has the name that it had in `favorites/`, without folders: a link of that name replaced it.
        let days = classified.references.filter { $0.name.last == item.name }.map(\.day)
        if let target = item.folder.target(bytes: item.name) {
            let path = PathText(target)
            if isUnneededLink(named: item.name, to: path, replacedBy: days, classified) {
                return try item.folder.remove(item.name)
            }
        } else if let original = try missingOriginal(item.name, in: item.folder, of: days) {
            return try move(item, to: original.path)
        }
        try links.moveBack(item)
        outcome.events.append(
            .interruptedMoveUndone(name: String(decoding: item.name, as: UTF8.self)))
    }

    /// Whether another item refers to the day of a link to `path`, or the record has its name.
    private func isUnneededLink(
        named name: [UInt8], to path: PathText, replacedBy days: [Day],
        _ classified: ClassifiedScan
    ) -> Bool {
        guard let day = path.fileDay else {
            // A link to `latest.*` names no day: any item of its name has taken its place.
            return path.latestName != nil && !days.isEmpty
        }
        return classified.references.contains { $0.day == day }
            || contents.favorites[day]?.names.contains { $0.last == name } == true
    }
}
