package import APOD
internal import Mirror
package import Platform

/// What an item in `favorites/`, such as a link to a picture, means: the day that it makes a favorite, or why it makes none.
///
/// ``Classifier`` finds that out for each item of a scan.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    case unrecognized(Unrecognized)
    /// The file was not read, and may be a favorite; without time for it, the error is ``SystemError/isCancelled``.
    case unread(SystemError)

    var isUnrecognized: Bool {
        if case .unrecognized = self { true } else { false }
    }
}

/// Why an item in `favorites/` makes its day a favorite.
package enum ReferenceKind: String, Hashable, Sendable, CaseIterable {
    /// A link to a file of this mirror, or to a path such as `/mnt/apod/pictures/2026/2026-11/2026-11-20 M 31.jpg`.
    case link
    /// A file with the inode of a picture or video of the mirror.
    case hardLink = "hard-link"
    /// A file with the contents of a picture or video of the mirror, even if a person edited it since.
    case copy
    /// A small file with the address of a day's page, or with the path of a file of a mirror.
    case shortcut
    /// A picture that the mirror does not have, with a name such as `2026-11-20 edited.jpg`.
    case named

    /// Whether the mirror has everything that the item has, so that a command may remove the item.
    package var isRemovable: Bool { self == .link || self == .hardLink }
}

/// Why an item in `favorites/` refers to no day; its ``text`` also tells the user what to do.
package enum Unrecognized: Hashable, Sendable {
    /// A FIFO, a socket or a device.
    case special
    case longLinkTarget
    case linkChain(longerThan: Int)
    /// A link to an item in `favorites/` that is no favorite.
    case linkToItem([UInt8])
    case linkToFolder([UInt8])
    case linkToOtherFile([UInt8])
    case linkOutOfMirror([UInt8])
    case empty
    case growing(SystemError)
    case unreadable(SystemError)
    case copyOfReport
    case namesSeveralDays
    case foreignPicture
    case foreignFile

    /// Follows the name of the item in a sentence.
    var text: String {
        switch self {
        case .special: "is a FIFO, a socket or a device, which is never opened"
        case .longLinkTarget: "is a link whose target is longer than any path of a mirror"
        case .linkChain(let limit): "leads into a loop, or through more than \(limit) links"
        case .linkToItem(let name): "leads to \(quoted(name)), which is no favorite"
        case .linkToFolder(let target):
            "leads to the folder \(quoted(target)): link the pictures in it, each by itself"
        case .linkToOtherFile(let target):
            "leads to \(quoted(target)), which is no picture: link a picture"
        case .linkOutOfMirror(let target):
            "leads out of the mirror, to \(quoted(target)), and names no day"
        case .empty: "is empty, or is being copied"
        case .growing(let error): "is being copied: \(error.reason)"
        case .unreadable(let error) where error.cause == .denied:
            "cannot be read (\(error.reason)): give the user of the daemon read permission"
        case .unreadable(let error): "cannot be read (\(error.reason))"
        case .copyOfReport:
            "is a copy of “\(Layout.favoritesReport)”, or an earlier one: delete it"
        case .namesSeveralDays: "names several days: link one of them"
        case .foreignPicture:
            "is a picture that the mirror does not have: link one that it has, or begin its name with the date"
        case .foreignFile:
            "is no picture of the mirror and names no day: link a picture, or write the address of its page into"
                + " a text file"
        }
    }

    /// A path on one line and shortened.
    private func quoted(_ path: [UInt8]) -> String {
        "“\(String(decoding: path, as: UTF8.self).excerpt(120))”"
    }
}

/// An item in `favorites/` that refers to a day.
package struct FavoriteReference: Hashable, Sendable {
    package let item: ScannedItem
    package let day: Day
    package let kind: ReferenceKind

    package var name: FavoriteName { item.name }
}

/// An item in `favorites/` that refers to no day; it is left in place.
package struct UnrecognizedItem: Hashable, Sendable {
    package let name: FavoriteName
    /// Follows the name in a sentence: `leads out of the mirror, to …`.
    package let reason: String
    /// Whether the item is a file that may still be being copied, so that the reason may end in a moment.
    let mayBeIncomplete: Bool

    init(_ name: FavoriteName, _ cause: Unrecognized, mayBeIncomplete: Bool = false) {
        self.name = name
        reason = cause.text
        self.mayBeIncomplete = mayBeIncomplete
    }
}

// MARK: All items of a scan

/// The items of one scan of `favorites/`, sorted by what they mean: references to days, and unrecognized items.
///
/// ``Survey`` makes one for the daemon and for each command on favorites. ``Reconciliation`` compares it with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The files that could not be read, or that the scan had no time to read: any favorite may have its file among them.
    private(set) var unreadFiles: [DirectoryListing.UnreadableItem] = []
    private(set) var unrecognized: [UnrecognizedItem] = []
    /// What was found out about files that the next scan need not read again; a changed file is another ``ScannedItem``.
    private(set) var knownFiles: [ScannedItem: Classification] = [:]

    /// The files that refer to days, by their inodes.
    var files: [FileIdentity: FavoriteReference] {
        let files = references.filter { $0.item.kind == .file }
        return Dictionary(files.map { ($0.item.identity, $0) }) { first, _ in first }
    }

    /// Whether an unrecognized file may still be being copied, so that it must be read again in a few seconds.
    var hasIncompleteFiles: Bool { unrecognized.contains(where: \.mayBeIncomplete) }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies all links, then the files for which there is `readingTime`.
    ///
    /// - `recorded`: The favorites before this scan.
    /// - `knownFiles`: The ``knownFiles`` of the scan before.
    /// - `lastFiles`: The ``files`` of the scan before.
    /// - `now`: The time in seconds since 1970.
    init(
        _ scan: Scan, in mirror: Store, recorded: StoredFavorites,
        knownFiles: [ScannedItem: Classification],
        lastFiles: [FileIdentity: FavoriteReference], now: Int, readingTime: ReadingTime
    ) {
        var classifier = Classifier(
            scan, in: mirror, recorded: recorded.favorites, lastFiles: lastFiles,
            readingTime: readingTime)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        let recordedDays = recorded.days
        let hasNewLink = references.contains { !recordedDays.contains($0.day) }
        // A new link is to be recorded at once, and the next scan reads the files. Without one, this scan reads at least one
        // file, even if the targets of links took all the time.
        classifier.setReading(isAllowed: !readingTime.isLimited || !hasNewLink)
        for item in scan.items where item.kind == .file {
            let classification = knownFiles[item] ?? classifier.classify(item)
            let mayBeIncomplete = item.hasJustChanged(at: now)
            add(item, as: classification, mayBeIncomplete: mayBeIncomplete)
            if case .unread = classification { continue }
            if !mayBeIncomplete { self.knownFiles[item] = classification }
        }
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(
        _ item: ScannedItem, as classification: Classification, mayBeIncomplete: Bool = false
    ) {
        switch classification {
        case .ignored: break
        case .unrecognized(let cause):
            unrecognized.append(
                UnrecognizedItem(item.name, cause, mayBeIncomplete: mayBeIncomplete))
        case .unread(let error):
            unreadFiles.append(.init(path: item.name.bytes, error: error))
            // A file for which there was no time is no news for the user: the next scan reads it.
            guard !error.isCancelled else { break }
            unrecognized.append(
                error.isGrowing
                    ? UnrecognizedItem(item.name, .growing(error), mayBeIncomplete: true)
                    : UnrecognizedItem(item.name, .unreadable(error)))
        case .favorite(let day, let kind):
            references.append(FavoriteReference(item: item, day: day, kind: kind))
        }
    }
}
