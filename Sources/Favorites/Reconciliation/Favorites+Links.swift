internal import APOD
internal import Mirror
internal import Platform

/// Repairs the links in `favorites/`.
extension Favorites {
    /// Replaces links to the file of their day where that is certain to help.
    ///
    /// These are links to `latest.*`, to pins, to former places of the mirror, and to missing files of it, and links
    /// that the mirror made and that were moved to another depth. Every other link stays: its destination may exist
    /// for the user, though this process cannot see it.
    func repairLinks(_ classified: ClassifiedScan) {
        let names = TreeNames(of: tree.root)
        repair(classified, [.link]) { item, day throws(SystemError) in
            guard let path = try repairedTarget(of: item, day, names),
                try links.replace(item, with: path)
            else { return }
            outcome.events.append(.linkRepaired(item.name, path: path))
        }
    }

    /// The path to which the link `item` to `day` is to lead; `nil` if the link stays.
    private func repairedTarget(
        of item: ScannedItem, _ day: Day, _ names: TreeNames
    ) throws(SystemError) -> String? {
        guard let target = item.linkTarget, PathText.isPlain(target) else { return nil }
        let recordedPaths = try targets.dayRecord(of: day)?.allFiles.map(\.path) ?? []
        let destination = resolver.destination(target, from: item.name)
        let namesFormerRoot = resolver.isFormer(target)
        switch destination {
        case .inside(let path):
            let isReplaceable = try isReplaceable(path, names)
            guard namesFormerRoot || isReplaceable, try !leadsThroughLink(path)
            else { return nil }
        case .outside:
            // A link that the mirror made, and that was moved to another depth.
            let madeTargets = recordedPaths + [LinkTargets.placeholder(day)]
            guard madeTargets.contains(where: target.leadsUp(to:)) else { return nil }
        }
        var path = recordedPaths.first { destination == .inside(PathText($0)) }
        if path == nil { path = try targets.path(of: day) }
        guard let path else { return nil }
        // A link to a missing picture or video stays, as the file returns to its path.
        if destination == .inside(PathText(path)) {
            guard namesFormerRoot, try names.contains(Array(path.utf8)[...]) else { return nil }
        }
        return path
    }

    /// Whether a link to `path` in the tree leads to its day for a time only, or nowhere.
    private func isReplaceable(
        _ path: PathText, _ names: TreeNames
    ) throws(SystemError) -> Bool {
        let isLatest = path.parts.count == 1 && path.latestName != nil
        // The mirror made a link to a pin while no picture was known.
        let isPin = path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
        let exists = try names.contains(path.bytes[...])
        return isLatest || isPin || !exists
    }

    /// Whether `path` leads through a symbolic link in the tree.
    private func leadsThroughLink(_ path: PathText) throws(SystemError) -> Bool {
        for count in path.parts.indices.dropFirst() {
            let above = PathText(parts: path.parts.prefix(count)).bytes
            guard let status = try tree.root.status(above) else { return false }
            if status.kind == .symbolicLink { return true }
        }
        return false
    }

    /// Calls `body` for each reference of `kinds`; an item that cannot be repaired is reported.
    func repair(
        _ classified: ClassifiedScan, _ kinds: Set<ReferenceKind>,
        _ body: (ScannedItem, Day) throws(SystemError) -> Void
    ) {
        for (reference, item) in zip(classified.references, classified.items)
        where kinds.contains(reference.kind) {
            do {
                try body(item, reference.day)
            } catch {
                outcome.events.append(.itemNotRepaired(item.name, error))
            }
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
