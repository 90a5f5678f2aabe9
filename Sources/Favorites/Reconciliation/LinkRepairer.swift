internal import APOD
internal import Mirror
internal import Platform

/// Repairs dangling links, and returns originals that were moved out of `pictures/`.
///
/// A link whose target exists is never changed, wherever it leads. Candidates are found by the text of the
/// link; ``PathProbe`` then checks whether the target is missing.
struct LinkRepairer {
    let tree: Tree
    let resolver: LinkResolver

    // MARK: Links

    func repairLinks(
        _ classified: ClassifiedScan, _ files: DayFiles, _ outcome: inout ReconcileOutcome
    ) {
        let names = TreeNames(of: tree.root)
        var candidates: [(item: ScannedItem, path: String, target: [UInt8])] = []
        repair(classified, [.link], &outcome) { item, day throws(SystemError) in
            guard let target = item.linkTarget else { return nil }
            let destination = resolver.destination(target, from: item.name)
            let isPin = leadsToPin(destination)
            let isIndirect = resolver.isIndirect(target) && !isPin
            guard try mayBeBroken(destination, day, names) || isPin || isIndirect else {
                return nil
            }
            var path = try files.best(day)
            for file in try files.dayRecord(of: day)?.allFiles ?? []
            where destination == .inside(PathText(file.path)) {
                path = file.path
            }
            guard let path else { return nil }
            // A picture or video that is missing returns to its path.
            if destination == .inside(PathText(path)) {
                guard isIndirect, try names.contains(Array(path.utf8)[...]) else { return nil }
            }
            // The mirror made it while no picture was known.
            if isPin { return try replace(item, with: path) }
            candidates.append((item, path, absolutePath(target, from: item.name)))
            return nil
        }
        let areMissing = PathProbe.missing(candidates.map(\.target), beside: tree.root.path)
        for (link, isMissing) in zip(candidates, areMissing) where isMissing {
            repair(link.item, &outcome) { () throws(SystemError) in
                try replace(link.item, with: link.path)
            }
        }
    }

    private func replace(
        _ item: ScannedItem, with path: String
    ) throws(SystemError) -> ReconcileEvent? {
        try FavoriteLinks(tree: tree).replace(item, with: path)
            ? .linkRepaired(item.name, path: path) : nil
    }

    private func leadsToPin(_ destination: LinkResolver.Destination) -> Bool {
        guard case .inside(let path) = destination else { return false }
        return path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
    }

    /// The path that the kernel follows from the folder of the link.
    private func absolutePath(_ target: [UInt8], from name: FavoriteName) -> [UInt8] {
        guard target.first != UInt8(ascii: "/") else { return target }
        return Array("\(tree.root.path)/".utf8) + name.folderPath + Array("/".utf8) + target
    }

    private func mayBeBroken(
        _ destination: LinkResolver.Destination, _ day: Day, _ names: TreeNames
    ) throws(SystemError) -> Bool {
        switch destination {
        case .inside(let path): return try !names.contains(path.bytes[...])
        case .outside(let path):
            if path.mirroredDay != nil { return true }
            let picture = try Store(reading: tree).record(of: day)?.picture
            let name = Layout.split(picture?.path ?? "").name
            return path.parts.last?.elementsEqual(name.utf8) == true
        }
    }

    // MARK: Originals

    /// Returns the originals of pictures and videos that are missing in `pictures/`, and replaces them by links.
    ///
    /// `earlier` are the favorites before this scan.
    func returnOriginals(
        _ classified: ClassifiedScan, after earlier: FavoriteStore.Contents,
        _ outcome: inout ReconcileOutcome
    ) {
        repair(classified, [.copy, .hardLink], &outcome) { item, day throws(SystemError) in
            guard try !isCopy(item, day, earlier) else { return nil }
            for original in try missingFiles(of: day) where try returnOriginal(item, original) {
                return .originalReturned(item.name, path: original.path)
            }
            return nil
        }
    }

    /// Those that are missing in `pictures/`, but were not removed by retention.
    private func missingFiles(of day: Day) throws(SystemError) -> [RecordedFile] {
        var missing: [RecordedFile] = []
        for file in try Store(reading: tree).record(of: day)?.files ?? []
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
        return try file.sha256(path: path) == recorded.sha256
    }

    // MARK: Interruptions

    /// Finishes or undoes exchanges of links and items that were interrupted.
    func finishInterruptedMoves(
        _ classified: ClassifiedScan, _ outcome: inout ReconcileOutcome
    ) {
        do throws(SystemError) {
            guard let moving = try tree.root.folder(FavoriteLinks.moving) else { return }
            for name in try moving.names() {
                do throws(SystemError) {
                    let event = try finishMove(of: name, moving, classified)
                    if let event { outcome.events.append(event) }
                } catch {
                    outcome.failures.append(error)
                }
            }
        } catch {
            outcome.failures.append(error)
        }
    }

    private func finishMove(
        of name: [UInt8], _ moving: Directory, _ classified: ClassifiedScan
    ) throws(SystemError) -> ReconcileEvent? {
        let target = moving.target(bytes: name)
        let path = target.map { PathText($0) }
        let days = classified.references.filter { $0.name.last == name }.map(\.day)
        let isPresent = path?.anyDay.map { day in
            classified.references.contains { $0.day == day }
        }
        // A new link, or a replaced one: another link refers to its day.
        if isPresent ?? (path?.latestName != nil && !days.isEmpty) {
            try moving.remove(name)
            return nil
        }
        for day in target == nil ? days : [] {
            for original in try missingFiles(of: day)
            where try isOriginal(name, in: moving, of: original) {
                try move(name, from: moving, to: original.path)
                return .originalReturned(nil, path: original.path)
            }
        }
        try FavoriteLinks(tree: tree).moveBack(name, from: moving)
        return .interruptedMoveUndone(FavoriteName(name))
    }

    // MARK: One by one

    /// Calls `body` for each reference of `kinds`; an item that cannot be repaired is reported.
    private func repair(
        _ classified: ClassifiedScan, _ kinds: Set<ReferenceKind>,
        _ outcome: inout ReconcileOutcome,
        _ body: (ScannedItem, Day) throws(SystemError) -> ReconcileEvent?
    ) {
        for (reference, item) in zip(classified.references, classified.items)
        where kinds.contains(reference.kind) {
            repair(item, &outcome) { () throws(SystemError) in try body(item, reference.day) }
        }
    }

    private func repair(
        _ item: ScannedItem, _ outcome: inout ReconcileOutcome,
        _ body: () throws(SystemError) -> ReconcileEvent?
    ) {
        do {
            if let event = try body() { outcome.events.append(event) }
        } catch {
            outcome.events.append(.itemNotRepaired(item.name, error))
        }
    }
}
