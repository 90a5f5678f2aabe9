internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Makes links again that lead nowhere, and returns originals that were dragged out of the mirror.
///
/// A link that works is never touched. Whether a path outside of the tree works is not looked up: such
/// a link is made again only where its text is that of a picture of a mirror, here or on another
/// machine, and the day's picture is here.
struct FavoriteRepair {
    let tree: Tree
    let reader: LinkReader
    /// The names that were there a moment ago, where they are known.
    private let known: TreeNames?
    /// Those that are there now.
    private let names: TreeNames

    init(tree: Tree, reader: LinkReader, known: TreeNames? = nil) {
        self.tree = tree
        self.reader = reader
        self.known = known
        names = TreeNames(of: tree.root)
    }

    /// Makes the links again that lead nowhere.
    func mendLinks(
        _ understanding: Understanding, _ files: DayFiles, _ outcome: inout ReconcileOutcome
    ) {
        go(through: understanding, [.link], &outcome) { item, day throws(SystemError) in
            guard let path = try newTarget(item, day, files),
                try FavoriteLinks(tree: tree).replace(item, with: path)
            else { return nil }
            return "favorites/\(item.name.text) leads to \(path) now"
        }
    }

    /// Returns the originals of pictures that are gone from `pictures/`, and leaves links.
    func returnOriginals(_ understanding: Understanding, _ outcome: inout ReconcileOutcome) {
        go(through: understanding, [.copy, .hardLink], &outcome) { item, day throws(SystemError) in
            try putBack(item, day).map { path in
                "favorites/\(item.name.text) was the original: it is back at \(path), with a link in"
                    + " its place"
            }
        }
    }

    /// Does `mend` to all of a kind; what cannot be mended is told of and left.
    private func go(
        through understanding: Understanding, _ kinds: Set<Via>, _ outcome: inout ReconcileOutcome,
        _ mend: (FoundItem, Day) throws(SystemError) -> String?
    ) {
        for (sighting, item) in zip(understanding.sightings, understanding.items)
        where kinds.contains(sighting.via) {
            do {
                if let message = try mend(item, sighting.day) { outcome.messages.append(message) }
            } catch {
                outcome.messages.append("\(error): favorites/\(item.name.text) is left as it is")
            }
        }
    }

    /// Where the link `item` should lead, `nil` where it is to be left alone.
    private func newTarget(
        _ item: FoundItem, _ day: Day, _ files: DayFiles
    ) throws(SystemError) -> String? {
        guard let target = item.linkTarget, try isLost(target, item, day),
            let path = try files.best(day)
        else { return nil }
        return path
    }

    private func isLost(
        _ target: ArraySlice<UInt8>, _ item: FoundItem, _ day: Day
    ) throws(SystemError) -> Bool {
        if let path = reader.plainPath(target, from: item.name) { return try !contains(path) }
        switch reader.lead(target, from: item.name) {
        case .inside(let path):
            return try !contains(path.bytes[...])
        case .outside(let path):
            if path.isLatest || path.mirroredDay != nil { return true }
            let name = try nameOfPicture(day)
            return path.parts.last?.elementsEqual(name.utf8) == true
        }
    }

    /// Whether something has the path: what was not there before may be there by now.
    private func contains(_ path: ArraySlice<UInt8>) throws(SystemError) -> Bool {
        if let known, try known.contain(path) { return true }
        return try names.contain(path)
    }

    private func nameOfPicture(_ day: Day) throws(SystemError) -> String {
        Layout.split(try picture(of: day)?.path ?? "").name
    }

    private func picture(of day: Day) throws(SystemError) -> PictureRecord? {
        try Store(reading: tree).record(of: day)?.picture
    }

    /// Returns the original of a picture that is gone from `pictures/`, and leaves a link.
    ///
    /// - Returns: Where it is now, `nil` where `item` is a file of its owner.
    private func putBack(_ item: FoundItem, _ day: Day) throws(SystemError) -> String? {
        guard let picture = try picture(of: day), try tree.root.status(picture.path) == nil,
            let folder = try FavoriteLinks(tree: tree).folder(above: item.name),
            try isOriginal(item, in: folder, of: picture)
        else { return nil }
        let path = picture.path
        let (above, name) = Layout.split(path)
        let home = try tree.root.makeFolder(above)
        // Both names first: at no moment is there none.
        try folder.link(bytes: item.name.last, to: home, as: name)
        try home.synchronize()
        return try FavoriteLinks(tree: tree).replace(item, with: path) ? path : nil
    }

    /// Whether it has the very bytes, and belongs to who keeps the tree: a copy is its owner's.
    private func isOriginal(
        _ item: FoundItem, in folder: Folder, of picture: PictureRecord
    ) throws(SystemError) -> Bool {
        guard item.size == picture.bytes else { return false }
        let file = try folder.openToRead(bytes: item.name.last)
        let status = try file.status(path: item.name.text)
        let keeper = try tree.root.status().owner
        guard status.identity == item.identity, status.owner == keeper else { return false }
        return try file.sha256(path: item.name.text) == picture.sha256
    }
}
