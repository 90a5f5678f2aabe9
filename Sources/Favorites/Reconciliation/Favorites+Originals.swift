internal import APOD
internal import Mirror
internal import Platform

/// Moves files back to `pictures/`: originals that a person moved from there into `favorites/`, and what an
/// interruption left between the two.
extension Favorites {
    /// Moves originals that are missing in `pictures/` back from `favorites/`, and leaves a link there.
    ///
    /// `earlier` are the records and pins before this scan.
    func returnOriginals(
        _ classified: ClassifiedScan, after earlier: FavoriteStore.Contents
    ) {
        repair(classified, [.copy, .hardLink]) { item, day throws(SystemError) in
            guard try !isCopy(item, of: day, earlier) else { return }
            for original in try missingFiles(of: day) where try returnOriginal(item, original) {
                outcome.events.append(.originalReturned(item.name, path: original.path))
                return
            }
        }
    }

    /// The recorded files of `day` that are missing in `pictures/`, without those that `--keep` removed.
    private func missingFiles(of day: Day) throws(SystemError) -> [RecordedFile] {
        var missing: [RecordedFile] = []
        for file in try targets.dayRecord(of: day)?.files ?? []
        where try tree.root.status(file.path) == nil {
            missing.append(file)
        }
        return missing
    }

    /// Whether `item` is a person's copy: it already was a favorite while another file was the pin.
    private func isCopy(
        _ item: ScannedItem, of day: Day, _ earlier: FavoriteStore.Contents
    ) throws(SystemError) -> Bool {
        guard let pin = earlier.pins[day],
            earlier.favorites[day]?.names.contains(item.name) ?? false,
            let status = try tree.root.status("\(FavoriteStore.folder)/\(pin)")
        else { return false }
        return status.identity != item.identity
    }

    /// Moves `item` back to the path of `original`, if it is that very file.
    ///
    /// - Returns: `false` if it is another file, which stays where it is.
    private func returnOriginal(
        _ item: ScannedItem, _ original: RecordedFile
    ) throws(SystemError) -> Bool {
        guard let folder = try tree.root.folder(item.name.folderPath),
            try isOriginal(item.name.last, in: folder, of: original),
            try folder.status(item.name.last)?.identity == item.identity
        else { return false }
        return try links.replace(item, with: original.path) {
            moving, name throws(SystemError) in
            try move(name, from: moving, to: original.path)
        }
    }

    private func move(
        _ name: [UInt8], from moving: Directory, to path: String
    ) throws(SystemError) {
        let (above, last) = Layout.split(path)
        let folder = try tree.root.makeDirectory(above)
        try moving.renameExclusive(name, to: folder, as: last)
        try folder.flush()
        try moving.flush()
    }

    /// Whether the file has the recorded bytes and the owner of the tree; a copy has another.
    private func isOriginal(
        _ name: [UInt8], in folder: Directory, of recorded: RecordedFile
    ) throws(SystemError) -> Bool {
        guard try folder.status(name)?.size == recorded.bytes else { return false }
        let file = try folder.openToRead(name)
        let path = "\(folder.path)/\(String(decoding: name, as: UTF8.self))"
        let status = try file.status(path: path)
        let owner = try tree.root.status().owner
        guard status.kind == .file, status.owner == owner else { return false }
        return try file.sha256(path: path, limit: recorded.bytes) == recorded.sha256
    }

    // MARK: Interruptions

    /// Finishes or undoes interrupted exchanges of links and items: see ``FavoriteLinks/moving``.
    func finishInterruptedMoves(_ classified: ClassifiedScan) {
        attempt { () throws(SystemError) in
            guard let moving = try tree.root.folder(FavoriteLinks.moving) else { return }
            for name in try moving.names() {
                attempt { () throws(SystemError) in try finishMove(of: name, moving, classified) }
            }
        }
    }

    private func finishMove(
        of name: [UInt8], _ moving: Directory, _ classified: ClassifiedScan
    ) throws(SystemError) {
        let target = moving.target(bytes: name)
        let path = target.map { PathText($0) }
        let days = classified.references.filter { $0.name.last == name }.map(\.day)
        if let path, isReplaced(path, named: name, by: days, in: classified) {
            return try moving.remove(name)
        }
        if target == nil {
            for day in days {
                for original in try missingFiles(of: day)
                where try isOriginal(name, in: moving, of: original) {
                    try move(name, from: moving, to: original.path)
                    outcome.events.append(.originalReturned(nil, path: original.path))
                    return
                }
            }
        }
        try links.moveBack(name, from: moving)
        outcome.events.append(.interruptedMoveUndone(FavoriteName(name)))
    }

    /// Whether a link `name` to `path` in ``FavoriteLinks/moving`` is no longer needed, because another item
    /// refers to its day, or the record has the name.
    private func isReplaced(
        _ path: PathText, named name: [UInt8], by days: [Day], in classified: ClassifiedScan
    ) -> Bool {
        guard let day = path.anyDay else {
            // A link to `latest.*` names no day: an item of its name has taken its place.
            return path.latestName != nil && !days.isEmpty
        }
        return classified.references.contains { $0.day == day }
            || contents.favorites[day]?.names.contains { $0.last == name } == true
    }
}
