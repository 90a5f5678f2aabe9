internal import APOD
internal import Platform

/// What the things in `favorites/` mean: by lstat, readlink and the bytes of small files.
///
/// It opens nothing itself. Links are read, never followed: what a path means is told by its words.
struct Classifier {
    /// What it asks of the mirror and of the disk, only where it must.
    struct Knowledge {
        /// The day that `latest.*` leads to now.
        var latest: () -> Day?
        /// The day that a name stood for when it was last seen.
        var recorded: (FavoriteName) -> Day?
        /// The day that a name led to through `latest.*` when it was made at the given time.
        var marked: (FavoriteName, Int) -> Day?
        /// The first bytes of a file, at most 64 KiB.
        var start: (ScannedItem) throws(SystemError) -> [UInt8]
        /// The day whose picture the file is, by inode or by hash.
        var twin: (ScannedItem) throws(SystemError) -> (Day, ReferenceKind)?
    }

    let reader: LinkReader
    private let knowledge: Knowledge
    private let items: [ScannedItem]
    /// Built for the first link that leads to another favorite: most folders have none.
    private lazy var itemsByName = Dictionary(
        items.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    /// The names that led through `latest.*`, and when the links were made that lead there.
    private(set) var ledThroughLatest: [FavoriteName: Int] = [:]

    init(_ items: [ScannedItem], reader: LinkReader, knowledge: Knowledge) {
        self.items = items
        self.reader = reader
        self.knowledge = knowledge
    }

    /// What `item` means.
    mutating func verdict(of item: ScannedItem) -> Classification {
        if IgnoreRules.contains(item.name) { return .ignored }
        return switch item.kind {
        case .directory: .ignored
        case .fifo, .socket, .device, .other:
            .notUnderstood("is a fifo, a socket or a device: nothing here opens it")
        case .symbolicLink: link(item, for: item, hops: 0)
        case .file: file(item)
        }
    }

    // MARK: Links

    /// How many links may lead to each other, as many as the kernel allows: see path_resolution(7).
    private static let maximumHops = 40

    /// What `link` means for `item`, the favorite that leads to it, over `hops` others.
    private mutating func link(
        _ link: ScannedItem, for item: ScannedItem, hops: Int
    ) -> Classification {
        guard let target = link.linkTarget, !target.isEmpty else {
            return .notUnderstood("is a link whose text is longer than any path in a mirror")
        }
        if let day = reader.plainDay(target, from: link.name) { return .favorite(day, .link) }
        let lead = reader.lead(target, from: link.name)
        if case .inside(let path) = lead, let next = favorite(at: path) {
            guard hops < Self.maximumHops else { return .notUnderstood("leads in a circle") }
            guard next.kind == .symbolicLink else {
                if case .favorite(let day, _) = verdict(of: next) { return .favorite(day, .link) }
                return .notUnderstood("leads to \(quoted(next.name.bytes)), which is no favorite")
            }
            return self.link(next, for: item, hops: hops + 1)
        }
        if let day = day(of: lead, by: link, for: item) { return .favorite(day, .link) }
        return .notUnderstood(Self.reason(lead, target))
    }

    private mutating func favorite(at path: PathText) -> ScannedItem? {
        guard path.parts.first?.elementsEqual(Scan.folder.utf8) == true else { return nil }
        return FavoriteName(PathText(parts: path.parts.dropFirst()).bytes)
            .flatMap { itemsByName[$0] }
    }

    private mutating func day(
        of lead: LinkReader.Lead, by link: ScannedItem, for item: ScannedItem
    ) -> Day? {
        switch lead {
        // A link that leads nowhere else in the tree keeps the day it had.
        case .inside(let path): day(of: path, by: link, for: item) ?? knowledge.recorded(item.name)
        // What is newest elsewhere is no business of this mirror.
        case .outside(let path): path.mirroredDay ?? path.day
        }
    }

    /// The day that a path in the mirror names: by the longest tail that a mirror has, else by a date in its last parts.
    private mutating func day(
        of path: PathText, by link: ScannedItem, for item: ScannedItem
    ) -> Day? {
        if let day = path.mirroredDay { return day }
        guard path.isLatest else { return path.day }
        let marked = knowledge.marked(link.name, link.modified)
        // One that was moved leads elsewhere, and stands for the day that it stood for.
        guard path.parts.count == 1 || marked != nil else { return path.day }
        ledThroughLatest[item.name] = link.modified
        return marked ?? knowledge.latest()
    }

    private static func reason(_ lead: LinkReader.Lead, _ target: ArraySlice<UInt8>) -> String {
        switch lead {
        case .inside: "leads to \(quoted(target)), which is no picture of a day: link one"
        case .outside: "leads out of the mirror, to \(quoted(target)), and names no day"
        }
    }

    // MARK: Files

    private mutating func file(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else {
            return .notUnderstood("is empty: a copy under way, or nothing at all")
        }
        do {
            let start = try knowledge.start(item)
            if let verdict = pointer(start, item) { return verdict }
            if let (day, via) = try knowledge.twin(item) { return .favorite(day, via) }
            return picture(start, item)
        } catch {
            return .notUnderstood("cannot be read (\(error.reason)): let the mirror's user read it")
        }
    }

    /// A picture that is none of the mirror's: edited by its owner, or had from elsewhere.
    private func picture(_ start: [UInt8], _ item: ScannedItem) -> Classification {
        guard ImageBytes.begin(start) else {
            return .notUnderstood("is neither a link to a picture of the mirror nor a copy of one")
        }
        if let day = knowledge.recorded(item.name) { return .favorite(day, .copy) }
        if let day = DateInText.day(in: item.name.last) { return .favorite(day, .named) }
        return .notUnderstood("is a picture, but no day of the mirror has it: link one that it has")
    }

    /// What a file that stands for something else means, `nil` where it is no such file.
    private mutating func pointer(_ bytes: [UInt8], _ item: ScannedItem) -> Classification? {
        if let target = SymlinkFile.target(bytes)?[...] {
            let lead = reader.lead(target, from: item.name)
            return day(of: lead, by: item, for: item).map { .favorite($0, .xsym) }
                ?? .notUnderstood(Self.reason(lead, target))
        }
        if let link = WindowsShortcut(bytes) { return first(of: link.paths, item, .shortcut) }
        if let alias = MacAlias(bytes) { return first(of: alias.paths, item, .alias) }
        if let entry = DesktopEntry(bytes) { return address(entry.address, item, entry.via) }
        if let location = WebLocation(bytes) { return address(location.address, item, .webloc) }
        if let page = SavedPage(bytes) {
            return (page.day ?? DateInText.day(in: item.name.last)).map { .favorite($0, .page) }
                ?? .notUnderstood("is a page, but not that of a day of APOD")
        }
        return note(bytes, item)
    }

    private mutating func first(
        of paths: [PathText], _ item: ScannedItem, _ via: ReferenceKind
    ) -> Classification {
        for path in paths {
            let day =
                switch reader.lead(path) {
                case .inside(let path): day(of: path, by: item, for: item)
                case .outside(let path): path.mirroredDay ?? path.day
                }
            if let day { return .favorite(day, via) }
        }
        let path = paths.first.map { quoted($0.bytes[...]) }
        return .notUnderstood("leads to \(path ?? "nothing it names"), and names no day")
    }

    private mutating func address(
        _ address: String?, _ item: ScannedItem, _ via: ReferenceKind
    ) -> Classification {
        guard let address, let meaning = WebText.meaning(of: address) else {
            return .notUnderstood("names no web address")
        }
        switch meaning {
        case .day(let day): return .favorite(day, via)
        case .path(let path): return first(of: [path], item, via)
        case .elsewhere(let site):
            return .notUnderstood("leads to \(quoted(Array(site.utf8)[...])), not to a day of APOD")
        }
    }

    private mutating func note(_ bytes: [UInt8], _ item: ScannedItem) -> Classification? {
        guard let line = TextReference.line(bytes) else { return nil }
        if let day = Day(iso: line) { return .favorite(day, .note) }
        guard case .day(let day) = WebText.meaning(of: line) else { return nil }
        return .favorite(day, .note)
    }
}

/// A path or an address as a reason shows it: on one line, and not all of a long one.
private func quoted(_ bytes: ArraySlice<UInt8>) -> String {
    "“\(String(decoding: bytes, as: UTF8.self).excerpt(120))”"
}
