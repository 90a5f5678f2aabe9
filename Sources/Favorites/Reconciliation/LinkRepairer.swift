internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Makes links again that lead nowhere, and returns originals that were dragged out of the mirror.
///
/// A link whose target exists is never touched, wherever it leads. The words of a link tell which may be
/// lost; that nothing is there is then asked of the kernel, by ``PathProbe``.
struct LinkRepairer {
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

    // MARK: Links

    /// Makes the links again that lead nowhere.
    func mendLinks(
        _ understanding: ClassifiedScan, _ files: DayFiles, _ outcome: inout ReconcileOutcome
    ) {
        var lost: [(item: ScannedItem, path: String, target: [UInt8])] = []
        go(through: understanding, [.link], &outcome) { item, day throws(SystemError) in
            if let target = item.linkTarget, try isLost(target, item, day),
                let path = try files.best(day)
            {
                lost.append((item, path, absolute(target, from: item.name)))
            }
            return nil
        }
        for (link, isMissing) in zip(
            lost, PathProbe.missing(lost.map(\.target), beside: tree.root.path)) where isMissing
        {
            change(link.item, &outcome) { () throws(SystemError) in
                try FavoriteLinks(tree: tree).replace(link.item, with: link.path)
                    ? "favorites/\(link.item.name.text) leads to \(link.path) now" : nil
            }
        }
    }

    /// The path that the kernel follows from where the link is.
    private func absolute(_ target: ArraySlice<UInt8>, from name: FavoriteName) -> [UInt8] {
        guard target.first != UInt8(ascii: "/") else { return Array(target) }
        let folders = name.folders.flatMap { $0 + [UInt8(ascii: "/")] }
        return Array("\(tree.root.path)/\(Scan.folder)/".utf8) + folders + target
    }

    private func isLost(
        _ target: ArraySlice<UInt8>, _ item: ScannedItem, _ day: Day
    ) throws(SystemError) -> Bool {
        if let path = reader.plainPath(target, from: item.name) { return try !contains(path) }
        switch reader.lead(target, from: item.name) {
        case .inside(let path):
            return try !contains(path.bytes[...])
        case .outside(let path):
            if path.mirroredDay != nil { return true }
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

    // MARK: Originals

    /// Returns the originals of pictures that are gone from `pictures/`, and leaves links.
    func returnOriginals(_ understanding: ClassifiedScan, _ outcome: inout ReconcileOutcome) {
        go(through: understanding, [.copy, .hardLink], &outcome) { item, day throws(SystemError) in
            try putBack(item, day).map { path in
                "favorites/\(item.name.text) was the original: it is back at \(path), with a link in"
                    + " its place"
            }
        }
    }

    /// Returns the original of a picture that is gone from `pictures/`, and leaves a link.
    ///
    /// - Returns: Where it is now, `nil` where `item` is a file of its owner.
    private func putBack(_ item: ScannedItem, _ day: Day) throws(SystemError) -> String? {
        let links = FavoriteLinks(tree: tree)
        guard let picture = try picture(of: day), try tree.root.status(picture.path) == nil,
            let folder = try links.folder(above: item.name),
            try isOriginal(item, item.name.last, in: folder, of: picture)
        else { return nil }
        let isBack = try links.replace(item, in: folder, with: picture.path) {
            moving, name throws(SystemError) in
            try bring(name, from: moving, to: picture.path)
        }
        return isBack ? picture.path : nil
    }

    private func bring(
        _ name: [UInt8], from moving: Directory, to path: String
    ) throws(SystemError) {
        let (above, last) = Layout.split(path)
        let home = try tree.root.makeDirectory(above)
        try moving.renameExclusive(bytes: name, to: home, as: Array(last.utf8))
        try home.synchronize()
        try moving.synchronize()
    }

    /// Whether it has the very bytes, and belongs to who keeps the tree: a copy is its owner's.
    private func isOriginal(
        _ item: ScannedItem, _ name: [UInt8], in folder: Directory, of picture: PictureRecord
    ) throws(SystemError) -> Bool {
        guard try isOriginal(name, in: folder, of: picture) else { return false }
        return try folder.status(bytes: name)?.identity == item.identity
    }

    private func isOriginal(
        _ name: [UInt8], in folder: Directory, of picture: PictureRecord
    ) throws(SystemError) -> Bool {
        guard try folder.status(bytes: name)?.size == picture.bytes else { return false }
        let file = try folder.openToRead(bytes: name)
        let path = "\(folder.path)/\(String(decoding: name, as: UTF8.self))"
        let status = try file.status(path: path)
        let keeper = try tree.root.status().owner
        guard status.kind == .file, status.owner == keeper else { return false }
        return try file.sha256(path: path) == picture.sha256
    }

    // MARK: What an interruption left

    /// Ends what was interrupted while a link and what it replaces changed places.
    func finishMoves(_ understanding: ClassifiedScan, _ outcome: inout ReconcileOutcome) {
        do {
            guard let moving = try tree.root.folder(FavoriteLinks.moving) else { return }
            for name in try moving.names() {
                try finishMove(of: name, moving, understanding, &outcome)
            }
        } catch {
            outcome.failures.append(error)
        }
    }

    private func finishMove(
        of name: [UInt8], _ moving: Directory, _ understanding: ClassifiedScan,
        _ outcome: inout ReconcileOutcome
    ) throws(SystemError) {
        let target = moving.target(bytes: name)
        // A draft, or a link that one took the place of: its day is a favorite by another link.
        let path = target.map { PathText($0) }
        let days = understanding.sightings.filter { $0.name.last == name }.map(\.day)
        let isStillThere = (path?.mirroredDay ?? path?.day).map { day in
            understanding.sightings.contains { $0.day == day }
        }
        if isStillThere ?? (path?.isLatest == true && !days.isEmpty) {
            return try moving.remove(bytes: name)
        }
        for day in target == nil ? days : [] {
            guard let picture = try picture(of: day), try tree.root.status(picture.path) == nil,
                try isOriginal(name, in: moving, of: picture)
            else { continue }
            try bring(name, from: moving, to: picture.path)
            outcome.messages.append("the original at \(picture.path) is back")
            return
        }
        try FavoriteLinks(tree: tree).putBack(name, from: moving)
        outcome.messages.append(
            "“\(String(decoding: name, as: UTF8.self))” is back in favorites/ after an interruption"
        )
    }

    // MARK: One by one

    /// Does `mend` to all of a kind; what cannot be mended is told of and left.
    private func go(
        through understanding: ClassifiedScan, _ kinds: Set<ReferenceKind>,
        _ outcome: inout ReconcileOutcome,
        _ mend: (ScannedItem, Day) throws(SystemError) -> String?
    ) {
        for (sighting, item) in zip(understanding.sightings, understanding.items)
        where kinds.contains(sighting.via) {
            change(item, &outcome) { () throws(SystemError) in try mend(item, sighting.day) }
        }
    }

    private func change(
        _ item: ScannedItem, _ outcome: inout ReconcileOutcome,
        _ body: () throws(SystemError) -> String?
    ) {
        do {
            if let message = try body() { outcome.messages.append(message) }
        } catch {
            outcome.messages.append("\(error): favorites/\(item.name.text) is left as it is")
        }
    }
}
