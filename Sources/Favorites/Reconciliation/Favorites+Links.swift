internal import APOD
internal import Mirror
internal import Platform

/// The links in `favorites/`.
extension Favorites {
    /// Replaces links to `latest.*` by links to the picture of their day, and repairs dangling links of this mirror:
    /// those whose text leads into it or into a path that it had before, and those that it made.
    ///
    /// Every other link stays as it is: what this process cannot see may exist for the user.
    func repairLinks(_ classified: ClassifiedScan) {
        let (names, files) = (TreeNames(of: tree.root), files)
        repair(classified, [.link]) { item, day throws(SystemError) in
            guard let target = item.linkTarget, PathText.isPlain(target) else { return }
            let destination = resolver.destination(target, from: item.name)
            let isFormer = resolver.isFormer(target)
            let recorded = try files.dayRecord(of: day)?.allFiles.map(\.path) ?? []
            switch destination {
            case .inside(let path):
                // The mirror made a link to a pin while no picture was known.
                let isPin = path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
                let exists = try names.contains(path.bytes[...])
                let isLatest = path.parts.count == 1 && path.latestName != nil
                guard isLatest || isFormer || isPin || !exists, try !leadsThroughLink(path)
                else { return }
            case .outside:
                // A link that was moved to another depth has the text of one that the mirror makes.
                guard (recorded + [DayFiles.placeholder(day)]).contains(where: target.leadsUp(to:))
                else { return }
            }
            var path = recorded.first { destination == .inside(PathText($0)) }
            if path == nil { path = try files.linkTarget(of: day) }
            guard let path else { return }
            // A picture or video that is missing returns to its path.
            if destination == .inside(PathText(path)) {
                guard isFormer, try names.contains(Array(path.utf8)[...]) else { return }
            }
            if try FavoriteLinks(tree: tree).replace(item, with: path) {
                outcome.events.append(.linkRepaired(item.name, path: path))
            }
        }
    }

    /// Whether a link in the tree has the name of a folder of `path`, so that the path may lead elsewhere.
    private func leadsThroughLink(_ path: PathText) throws(SystemError) -> Bool {
        for count in path.parts.indices.dropFirst() {
            let above = PathText(parts: path.parts.prefix(count)).bytes
            guard let status = try tree.root.status(above) else { return false }
            if status.kind == .symbolicLink { return true }
        }
        return false
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

extension [UInt8] {
    /// Whether the text of a link leads to `path` from the root, after `../` at least once.
    fileprivate func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var rest = self[...]
        while rest.starts(with: up) { rest = rest.dropFirst(up.count) }
        return rest.count < count && rest.elementsEqual(path.utf8)
    }
}
