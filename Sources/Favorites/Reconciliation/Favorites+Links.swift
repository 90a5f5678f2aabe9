internal import APOD
internal import Mirror
internal import Platform

/// Repairs links in `favorites/`, by replacing them with links of the same names to the file of their day.
extension Favorites {
    /// Replaces the links for which that is certain to help; errors become events of the ``outcome``.
    ///
    /// These are:
    /// - links to `latest.jpg` and the like, which shows another day tomorrow;
    /// - links to the pin of a favorite, which the mirror made while it had no picture;
    /// - links to missing files of the mirror, and absolute ones to a place where the mirror was before;
    /// - links that the mirror made, and that a person moved to another depth.
    ///
    /// Every other link stays: its destination may exist for the user, though this process cannot see it.
    func repairLinks(_ classified: ClassifiedScan) {
        let names = TreeNames(of: tree.root)
        repairItems(of: [.link], in: classified) { item, day throws(SystemError) in
            guard let path = try replacement(for: item, to: day, names),
                let replaced = try links.replace(item, withLinkTo: path)
            else { return }
            try replaced.folder.remove(replaced.name)
            outcome.events.append(.linkRepaired(item.name, path: path))
        }
    }

    /// The path to which a link in place of `item` is to lead; `nil` if the link stays.
    private func replacement(
        for item: ScannedItem, to day: Day, _ names: TreeNames
    ) throws(SystemError) -> String? {
        guard let text = item.linkTarget, text.hasParentsOnlyFirst else { return nil }
        let recordedPaths = try targets.dayRecord(of: day)?.allFiles.map(\.path) ?? []
        let destination = resolver.destination(text, from: item.name)
        let namesFormerRoot = resolver.isFormer(text)
        switch destination {
        case .inside(let path):
            let isUseless = try isTemporaryOrMissing(path, names)
            guard namesFormerRoot || isUseless, try !leadsThroughLink(path) else { return nil }
        case .outside:
            // From another depth, a link of the mirror leads to the same path below another folder.
            let madeTargets = recordedPaths + [LinkTargets.placeholder(day)]
            guard madeTargets.contains(where: text.leadsUp(to:)) else { return nil }
        }
        // Of a day with a picture and a video, the link keeps the one that it has.
        var replacement = recordedPaths.first { destination == .inside(PathText($0)) }
        if replacement == nil { replacement = try targets.path(of: day) }
        guard let path = replacement else { return nil }
        // The link leads to the right path already. It stays while the file is missing, which returns there.
        if destination == .inside(PathText(path)) {
            guard namesFormerRoot, try names.contains(Array(path.utf8)[...]) else { return nil }
        }
        return path
    }

    /// Whether `path` in the tree is a temporary name of a picture, `latest.*` or a pin, or does not exist.
    private func isTemporaryOrMissing(
        _ path: PathText, _ names: TreeNames
    ) throws(SystemError) -> Bool {
        let isLatest = path.parts.count == 1 && path.latestName != nil
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
    func repairItems(
        of kinds: Set<ReferenceKind>, in classified: ClassifiedScan,
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

/// The text of a link.
extension [UInt8] {
    /// Whether `..` stands at the beginning alone, if at all.
    ///
    /// After the name of a link, the kernel would follow `..` from another folder than the text says.
    fileprivate var hasParentsOnlyFirst: Bool {
        let parts = split(separator: UInt8(ascii: "/")).drop { $0.elementsEqual("..".utf8) }
        return !parts.contains { $0.elementsEqual("..".utf8) }
    }

    /// Whether the text leads to `path` from the root, after `../` at least once.
    fileprivate func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var rest = self[...]
        while rest.starts(with: up) { rest = rest.dropFirst(up.count) }
        return rest.count < count && rest.elementsEqual(path.utf8)
    }
}
