internal import APOD
internal import Mirror
internal import Platform

/// The links in `favorites/`.
extension Favorites {
    /// Repairs dangling links.
    ///
    /// A link whose target exists is never changed, wherever it leads. Candidates are found by the text of the
    /// link; ``PathProbe`` then checks whether the target is missing.
    func repairLinks(_ classified: ClassifiedScan) {
        let (names, files) = (TreeNames(of: tree.root), files)
        var candidates: [(item: ScannedItem, path: String, target: [UInt8])] = []
        repair(classified, [.link]) { item, day throws(SystemError) in
            guard let target = item.linkTarget else { return }
            let destination = resolver.destination(target, from: item.name)
            let isPin = leadsToPin(destination)
            let isIndirect = resolver.isIndirect(target) && !isPin
            guard try mayBeBroken(destination, day, names) || isPin || isIndirect else { return }
            var path = try files.best(day)
            for file in try files.dayRecord(of: day)?.allFiles ?? []
            where destination == .inside(PathText(file.path)) {
                path = file.path
            }
            guard let path else { return }
            // A picture or video that is missing returns to its path.
            if destination == .inside(PathText(path)) {
                guard isIndirect, try names.contains(Array(path.utf8)[...]) else { return }
            }
            // The mirror made it while no picture was known.
            if isPin { return try replace(item, with: path) }
            candidates.append((item, path, absolutePath(target, from: item.name)))
        }
        let areMissing = PathProbe.missing(candidates.map(\.target), beside: tree.root.path)
        for (link, isMissing) in zip(candidates, areMissing) where isMissing {
            repair(link.item) { () throws(SystemError) in try replace(link.item, with: link.path) }
        }
    }

    private func replace(_ item: ScannedItem, with path: String) throws(SystemError) {
        if try FavoriteLinks(tree: tree).replace(item, with: path) {
            outcome.events.append(.linkRepaired(item.name, path: path))
        }
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
            // Without a day in the path it is a link to `latest.*` that was moved.
            if path.mirroredDay != nil || path.anyDay == nil { return true }
            let picture = try files.dayRecord(of: day)?.picture
            let name = Layout.split(picture?.path ?? "").name
            return path.parts.last?.elementsEqual(name.utf8) == true
        }
    }

    // MARK: One by one

    /// Calls `body` for each reference of `kinds`; an item that cannot be repaired is reported.
    func repair(
        _ classified: ClassifiedScan, _ kinds: Set<ReferenceKind>,
        _ body: (ScannedItem, Day) throws(SystemError) -> Void
    ) {
        for (reference, item) in zip(classified.references, classified.items)
        where kinds.contains(reference.kind) {
            repair(item) { () throws(SystemError) in try body(item, reference.day) }
        }
    }

    private func repair(_ item: ScannedItem, _ body: () throws(SystemError) -> Void) {
        do {
            try body()
        } catch {
            outcome.events.append(.itemNotRepaired(item.name, error))
        }
    }
}
