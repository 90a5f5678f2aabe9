internal import APOD
internal import Mirror
internal import Platform

/// Originals that were moved out of `pictures/`, and interrupted moves.
extension Favorites {
    /// Returns the originals of pictures and videos that are missing in `pictures/`, and replaces them by links.
    ///
    /// `earlier` are the favorites before this scan.
    func returnOriginals(
        _ classified: ClassifiedScan, after earlier: FavoriteStore.Contents
    ) {
        repair(classified, [.copy, .hardLink]) { item, day throws(SystemError) in
            guard try !isCopy(item, day, earlier) else { return }
            for original in try missingFiles(of: day) where try returnOriginal(item, original) {
                outcome.events.append(.originalReturned(item.name, path: original.path))
                return
            }
        }
    }

    /// Those that are missing in `pictures/`, but were not removed by retention.
    private func missingFiles(of day: Day) throws(SystemError) -> [RecordedFile] {
        var missing: [RecordedFile] = []
        for file in try files.dayRecord(of: day)?.files ?? []
        where try tree.root.status(file.path) == nil {
            missing.append(file)
        }
        return missing
    }

    /// Whether `item` was in `favorites/` while the picture was pinned, so that it is a copy of a user: the
    /// pin is another file.
    private func isCopy(
        _ item: ScannedItem, _ day: Day, _ earlier: FavoriteStore.Contents
    ) throws(SystemError) -> Bool {
        guard let pin = earlier.pins[day],
            earlier.favorites[day]?.names.contains(item.name) ?? false,
            let status = try tree.root.status("\(FavoriteStore.folder)/\(pin)")
        else { return false }
        return status.identity != item.identity
    }

    /// - Returns: `false` if `item` is a file of its owner.
    private func returnOriginal(
        _ item: ScannedItem, _ original: RecordedFile
    ) throws(SystemError) -> Bool {
        guard let folder = try tree.root.folder(item.name.folderPath),
            try isOriginal(item.name.last, in: folder, of: original),
            try folder.status(item.name.last)?.identity == item.identity
        else { return false }
        return try FavoriteLinks(tree: tree).replace(item, with: original.path) {
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
        try folder.synchronize()
        try moving.synchronize()
    }

    /// Whether the file has the recorded bytes and the owner of the tree: a copy has its own owner.
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

    /// Finishes or undoes exchanges of links and items that were interrupted.
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
        let isPresent = path?.anyDay.map { day in
            classified.references.contains { $0.day == day }
                || contents.favorites[day]?.names.contains { $0.last == name } == true
        }
        // A new link, or a replaced one: another link refers to its day, or did so when its record was written.
        if isPresent ?? (path?.latestName != nil && !days.isEmpty) {
            return try moving.remove(name)
        }
        for day in target == nil ? days : [] {
            for original in try missingFiles(of: day)
            where try isOriginal(name, in: moving, of: original) {
                try move(name, from: moving, to: original.path)
                outcome.events.append(.originalReturned(nil, path: original.path))
                return
            }
        }
        try FavoriteLinks(tree: tree).moveBack(name, from: moving)
        outcome.events.append(.interruptedMoveUndone(FavoriteName(name)))
    }
}
