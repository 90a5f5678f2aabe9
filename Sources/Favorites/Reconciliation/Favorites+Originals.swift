internal import APOD
internal import Mirror
internal import Platform

/// Moves pictures back that a person moved from `pictures/` to `favorites/`, so that the mirror lacks them.
///
/// In one step, a link takes the place of such a picture, whose day stays a favorite, and the picture gets into
/// ``FavoriteLinks/staging``. Then it is moved to its recorded path. After an interruption between the steps, the
/// next scan goes on with what that folder holds. Errors become events or failures of the ``outcome``.
extension Favorites {
    /// Moves the originals in `classified` back; `earlier` are the records and pins before this scan.
    func returnOriginals(in classified: ClassifiedScan, earlier: FavoriteStore.Contents) {
        repairItems(of: [.copy, .hardLink], in: classified) { item, day throws(SystemError) in
            guard let folder = try tree.root.folder(item.name.folderPath),
                try !isKnownCopy(item, of: day, earlier: earlier),
                let original = try missingOriginal(
                    named: item.name.last, in: folder, ofOneOf: [day]),
                original.identity == item.identity
            else { return }
            // `nil`: the item was changed after the scan, and stays.
            guard let staged = try links.replace(item, withLinkTo: original.path) else { return }
            try move(staged, to: original.path)
        }
    }

    /// Whether `item` is a copy that a person made, and so no original.
    ///
    /// The first scan that lists an original moves it back. An item that was recorded before is therefore a copy,
    /// unless it is the same file as the pin, which may be a hard link to the original.
    private func isKnownCopy(
        _ item: ScannedItem, of day: Day, earlier: FavoriteStore.Contents
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

    /// The file `name` in `folder`, if it is a recorded file of one of `days` that `pictures/` lacks.
    ///
    /// It has the recorded bytes and the owner of the tree: a moved file keeps its owner, a copy belongs to the user
    /// who made it. A copy that the owner made is taken for the original: it is as good, and its link stays.
    private func missingOriginal(
        named name: [UInt8], in folder: Directory, ofOneOf days: [Day]
    ) throws(SystemError) -> Original? {
        for day in days {
            // `files` lacks those that retention (`--keep`) removed: they are not missing.
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

    /// Moves an original to its recorded path; after an error it is in either folder, and the next scan goes on.
    private func move(_ item: ReplacedItem, to path: String) throws(SystemError) {
        let (above, last) = Layout.split(path)
        let folder = try tree.root.makeDirectory(above)
        try item.folder.renameDurably(item.name, to: folder, as: last)
        outcome.events.append(.originalReturned(path: path))
    }

    // MARK: Interruptions

    /// Finishes or undoes each replacement of an item that an interruption has left in ``FavoriteLinks/staging``.
    func finishInterruptedMoves(in classified: ClassifiedScan) {
        attempt { () throws(SystemError) in
            guard let staging = try tree.root.folder(FavoriteLinks.staging) else { return }
            for name in try staging.names() {
                attempt { () throws(SystemError) in
                    try finishMove(of: ReplacedItem(folder: staging, name: name), classified)
                }
            }
        }
    }

    /// Deletes a link that is not needed; moves an original to `pictures/`, anything else back to `favorites/`.
    private func finishMove(
        of item: ReplacedItem, _ classified: ClassifiedScan
    ) throws(SystemError) {
        // An item in staging keeps its last name, which the link that replaced it in `favorites/` has, too.
        let days = classified.references.filter { $0.name.last == item.name }.map(\.day)
        if let target = item.folder.target(bytes: item.name) {
            let path = PathText(target)
            if isUnneededLink(named: item.name, to: path, daysOfName: days, classified) {
                return try item.folder.remove(item.name)
            }
        } else if let original = try missingOriginal(
            named: item.name, in: item.folder, ofOneOf: days)
        {
            return try move(item, to: original.path)
        }
        try links.moveBack(item)
        outcome.events.append(
            .interruptedMoveUndone(name: String(decoding: item.name, as: UTF8.self)))
    }

    /// Whether a link to `path` can go: an item in `favorites/` refers to its day, or the record has its `name`.
    ///
    /// `daysOfName` are the days of the items in `favorites/` with that name.
    private func isUnneededLink(
        named name: [UInt8], to path: PathText, daysOfName: [Day], _ classified: ClassifiedScan
    ) -> Bool {
        guard let day = path.fileDay else {
            // A link to `latest.*` names no day: any item of its name has taken its place.
            return path.latestName != nil && !daysOfName.isEmpty
        }
        return classified.references.contains { $0.day == day }
            || contents.favorites[day]?.names.contains { $0.last == name } == true
    }
}
