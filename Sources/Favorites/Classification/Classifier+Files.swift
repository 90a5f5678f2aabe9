internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

/// Classifies files in `favorites/`, which are recognized by their bytes, whatever their names.
extension Classifier {
    /// In bytes, with the zero byte at its end: PATH_MAX of Linux.
    private static let longestPath = 4096
    /// In bytes: a text that is no more than one address.
    private static let longestNote = 2048

    /// Tries what a file may be in this order: a large hard link to a picture of the mirror, a text that leads to a
    /// day, any other hard link or a copy of a picture of the mirror, another picture.
    mutating func classifyFile(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else { return .unrecognized("is empty, or is being copied") }
        // The bytes that this scan may still read.
        let budgetBefore = budget
        do {
            if let day = try dayOfLargeHardLink(item) { return .favorite(day, .hardLink) }
            // mutation test: read-limit
            guard budget > 0 else { return .postponed }
            let start = try readStart(item)
            if let classification = classifyPointer(start, item) { return classification }
            if let classification = try classifyByMirror(item) { return classification }
            return classifyPicture(start, item)
        } catch {
            // A file that fails in each scan takes no bytes of it: it would keep other files unread for ever.
            budget = budgetBefore
            return .unreadable(error)
        }
    }

    /// Classifies a file whose `bytes`, its start, are a path, an address or a date; `nil` for every other file.
    fileprivate mutating func classifyPointer(
        _ bytes: [UInt8], _ item: ScannedItem
    ) -> Classification? {
        // `.xsym` is a symbolic link that was written as a file: by macOS over SMB here, by git below.
        if let target = SymlinkFile.target(bytes) {
            return classify(item, as: .xsym, byTarget: target, ofLink: item.name)
        }
        if let shortcut = Shortcut(bytes) { return classifyShortcut(shortcut, item) }
        if let page = SavedPage(bytes) {
            return (page.day ?? DateInName.first(in: item.name.last)).map { .favorite($0, .page) }
                ?? .unrecognized("is a web page, but not the page of a day of APOD")
        }
        if let day = Self.dayOfText(bytes) { return .favorite(day, .note) }
        return classifyBareTarget(bytes, item)
    }

    /// Classifies a text that is a path alone, as git writes where it can make no link; `nil` if it names no day.
    private mutating func classifyBareTarget(
        _ bytes: [UInt8], _ item: ScannedItem
    ) -> Classification? {
        guard bytes.count < Self.longestPath, !bytes.contains(where: { $0 < 0x20 }) else {
            return nil
        }
        let destination = resolver.destination(bytes, from: item.name)
        // A path out of the mirror, such as `../2026-11-20.jpg` in a text of another project, counts only if it
        // is absolute, or ends like a path of a mirror.
        let beginnings = if case .inside = destination { ["/", "./", "../"] } else { ["/"] }
        let isPath = beginnings.contains { bytes.starts(with: $0.utf8) }
        guard isPath || PathText(bytes).mirroredDay != nil else { return nil }
        let classification = classify(item, as: .xsym, byTarget: bytes, ofLink: item.name)
        return classification.isUnrecognized ? nil : classification
    }

    /// Classifies a file by the first target of `shortcut`, its contents, that names a day.
    private mutating func classifyShortcut(
        _ shortcut: Shortcut, _ item: ScannedItem
    ) -> Classification {
        var reason = "contains no address"
        for target in shortcut.targets {
            let day: Day?
            switch target {
            case .day(let found): day = found
            case .path(let path):
                reason = "leads to \(quoted(path.bytes)), and names no day"
                switch resolver.destination(path) {
                case .inside(let inner): day = self.day(of: inner, by: item.name)
                case .outside(let outer): day = outer.fileDay
                }
            case .elsewhere(let site):
                reason = "leads to \(quoted(site.utf8)), not to a day of APOD"
                day = nil
            }
            if let day { return .favorite(day, shortcut.kind) }
        }
        return .unrecognized(reason)
    }

    /// The day of a text that is one date or one address; `nil` for every other text.
    private static func dayOfText(_ bytes: [UInt8]) -> Day? {
        let bytes = bytes.withoutByteOrderMark
        guard bytes.count <= Self.longestNote, let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 1 else { return nil }
        if let day = Day(iso: words[0]) { return day }
        guard case .day(let day) = AddressText.meaning(of: words[0]) else { return nil }
        return day
    }

    /// Classifies a picture that the mirror does not have, such as an edited copy.
    ///
    /// Its kind is `.named` if its name has the date of its day, and `.edited` if it is recognized by the
    /// record of a favorite: by its name, or by its size and time, which a renamed file keeps.
    fileprivate mutating func classifyPicture(
        _ start: [UInt8], _ item: ScannedItem
    ) -> Classification {
        guard MediaType(magic: start)?.isPicture == true else {
            return .unrecognized(
                "is neither a link to a picture of the mirror, nor a copy of one, nor a text of one date"
            )
        }
        let dayInName = DateInName.first(in: item.name.last)
        let daysOfFile = (knownFiles[item.size] ?? []).filter { $0.file.isMoved(to: item) }.map(
            \.day)
        // The first of these decides:
        // 1. the day recorded for this name, unless the file of another favorite was moved here;
        // 2. a date in the name, as a person wrote it;
        // 3. the favorite that had this file; of several, the one that was present last.
        let recorded = recordedDays[item.name].flatMap {
            daysOfFile.isEmpty || daysOfFile.contains($0) ? $0 : nil
        }
        guard let day = recorded ?? dayInName ?? daysOfFile.first else {
            return .unrecognized(
                "is a picture that the mirror does not have: link one that it has")
        }
        return .favorite(day, day == dayInName ? .named : .edited)
    }
}

extension [UInt8] {
    /// The bytes without the mark with which editors of Windows begin a text.
    var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}

extension Classification {
    /// The classification of a file by its contents alone, in a mirror at `root` without pictures: for tests with
    /// random contents.
    package init(ofFile contents: [UInt8], _ name: FavoriteName, root: String) {
        let item = ScannedItem(
            name: name, kind: .file, identity: FileIdentity(device: 1, inode: 1),
            size: contents.count, linkTarget: nil, modified: 0)
        var classifier = Classifier(
            Scan(place: .missing), in: nil, resolver: LinkResolver(roots: [root]), recorded: [:])
        self =
            classifier.classifyPointer(contents, item)
            ?? classifier.classifyPicture(contents, item)
    }
}
