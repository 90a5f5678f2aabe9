internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Repairs links in `favorites/`: replaces them by links of the same names to the file of their day.
extension Favorites {
    /// Replaces links that are certainly broken or temporary; errors become notices of the ``outcome``.
    ///
    /// These are:
    /// - links to `latest.jpg` and the like, which shows another day tomorrow;
    /// - links to the pin of a favorite, which the mirror made while it had no picture;
    /// - links to missing files of the mirror;
    /// - links that the mirror made, and that a person moved to another depth;
    /// - links to nothing in `/`, as Nemo makes them of recent files.
    ///
    /// Every other link stays: its destination may exist for the user, though this process cannot see it.
    func repairLinks(_ references: [FavoriteReference]) {
        for reference in references where reference.item.kind == .symbolicLink {
            do {
                guard let path = try repairedPath(of: reference),
                    try links.replace(reference.item, withLinkTo: path)
                else { continue }
                outcome.notices.append(
                    "repaired favorites/\(reference.name.text): leads to \(path)")
            } catch {
                outcome.notices.append(
                    "\(error): favorites/\(reference.name.text) is not repaired")
            }
        }
    }

    /// The path in the mirror to which a new link in place of `item` is to lead; `nil` if the link stays.
    private func repairedPath(of reference: FavoriteReference) throws(SystemError) -> String? {
        let (item, day) = (reference.item, reference.day)
        guard let text = item.linkTarget, text.hasParentsOnlyFirst else { return nil }
        let destination = LinkDestination(text, from: item.name, in: PathText(tree.root.path))
        if case .inside(let path) = destination {
            guard try isTemporaryOrMissing(path) else { return nil }
        }
        // No record is read of a link that leads to a file of the mirror.
        let recordedPaths = try mirror.record(of: day)?.allFiles.map(\.path) ?? []
        if case .outside(let path) = destination,
            try mirror.day(ofRecentLink: item.name, to: path) == nil
        {
            // A link that the mirror made has `../` for each folder of its name. In a folder of another depth, its
            // text names the same path of the mirror, but below a wrong folder.
            let madeTargets = recordedPaths + [LinkTargets.placeholder(day)]
            guard madeTargets.contains(where: text.leadsUp(to:)) else { return nil }
        }
        guard let newPath = try targets.path(of: day) else { return nil }
        // A link that leads to a right path already stays, also to the video of a day that has a picture: a missing file
        // returns there by a download.
        let rightPaths = recordedPaths + [newPath]
        return rightPaths.contains { destination == .inside(PathText($0)) } ? nil : newPath
    }

    /// Whether `path` in the tree is a temporary name of a picture, `latest.*` or a pin, or certainly does not exist.
    private func isTemporaryOrMissing(_ path: PathText) throws(SystemError) -> Bool {
        let isPin = path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
        if isPin || path.latestName != nil { return true }
        do {
            return try tree.root.status(path.bytes) == nil
        } catch  where error.isNotDirectory {
            // What lies behind another link may exist.
            return error.code != ELOOP
        }
    }
}

/// The text of a link, its target.
extension [UInt8] {
    /// Whether `..` stands at the beginning alone, if at all.
    ///
    /// After the name of a link, the kernel would follow `..` from another folder than the text says.
    fileprivate var hasParentsOnlyFirst: Bool {
        let parts = split(separator: UInt8(ascii: "/")).drop { $0.elementsEqual("..".utf8) }
        return !parts.contains { $0.elementsEqual("..".utf8) }
    }

    /// Whether the text is `../`, at least once, and then `path`.
    fileprivate func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var rest = self[...]
        while rest.starts(with: up) { rest = rest.dropFirst(up.count) }
        return rest.count < count && rest.elementsEqual(path.utf8)
    }
}
