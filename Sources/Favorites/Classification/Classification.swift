package import APOD
internal import Mirror
package import Platform

/// What an item in `favorites/` means, as ``Classifier`` finds out.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    /// The reason says what a user can do about it.
    case unrecognized(String)
    /// The file may be a favorite; the error is ``SystemError/isCancelled`` if the scan had no time to read it.
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
    /// A file with the contents of a picture or video of the mirror.
    case copy
    /// A small file with the address of a day's page, or with the path of a file of a mirror.
    case shortcut
    /// A picture that the mirror does not have, with a name such as `2026-11-20 edited.jpg`.
    case named

    /// Whether the mirror has everything that the item has, so that a command may remove the item.
    package var isRemovable: Bool { self == .link || self == .hardLink }
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
    /// Whether the reason is likely to stay; `false` while the item may still be being written.
    var isSettled = true
}

extension UnrecognizedItem {
    /// The file or folder `name`, which could not be read.
    init(_ name: FavoriteName, unreadableBy error: SystemError) {
        let advice =
            error.cause == .denied ? ": give the user of the daemon read permission" : ""
        self.init(name: name, reason: "cannot be read (\(error.reason))\(advice)")
    }
}

// MARK: All items of a scan

/// The items of one scan of `favorites/`, sorted by what they mean: references to days, and unrecognized items.
///
/// Each reconciliation and each command on favorites makes one. ``Reconciliation`` compares it with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The files that were not read: any favorite may have its item among them.
    private(set) var unreadFiles: [DirectoryListing.UnreadableItem] = []
    private(set) var unrecognized: [UnrecognizedItem] = []
    /// The files that the next scan need not read again; a file that changes is another ``ScannedItem``.
    private(set) var knownFiles: [ScannedItem: Classification] = [:]

    /// Whether an unrecognized file may still be being copied, so that it must be read again in a few seconds.
    var hasUnsettledFiles: Bool { unrecognized.contains { !$0.isSettled } }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies links first, then files until `isOverdue`, which is `nil` if the time is not limited.
    ///
    /// `book` has the favorites before this scan, `known` the ``knownFiles`` of the scan before; `now` is in seconds since 1970.
    init(
        _ scan: Scan, in mirror: Store, _ book: Book,
        known: [ScannedItem: Classification], now: Int, isOverdue: (@Sendable () -> Bool)?
    ) {
        var classifier = Classifier(
            scan, in: mirror, recorded: book.favorites, isOverdue: isOverdue)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        // If the time is limited, no file is read after a new link, so that the link is recorded at once.
        let recordedDays = book.days
        let hasNewLink = references.contains { !recordedDays.contains($0.day) }
        classifier.files.mayRead = isOverdue == nil || !hasNewLink
        for item in scan.items where item.kind == .file {
            let classification = known[item] ?? classifier.classify(item)
            // A file that changed just now can change again without another time.
            let isSettled = item.isSettled(at: now)
            add(item, as: classification, isSettled: isSettled)
            if case .unread = classification { continue }
            if isSettled { knownFiles[item] = classification }
        }
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(
        _ item: ScannedItem, as classification: Classification, isSettled: Bool = true
    ) {
        switch classification {
        case .ignored: break
        case .unrecognized(let reason):
            unrecognized.append(
                UnrecognizedItem(name: item.name, reason: reason, isSettled: isSettled))
        case .unread(let error):
            unreadFiles.append(.init(path: item.name.bytes, error: error))
            // The next scan reads it.
            guard !error.isCancelled else { break }
            if error.isGrowing {
                let reason = "is being copied: \(error.reason)"
                add(item, as: .unrecognized(reason), isSettled: false)
            } else {
                unrecognized.append(UnrecognizedItem(item.name, unreadableBy: error))
            }
        case .favorite(let day, let kind):
            references.append(FavoriteReference(item: item, day: day, kind: kind))
        }
    }
}
