internal import Platform

/// The classifications of files, kept in memory so that the next scan need not read the files again.
struct ClassificationCache {
    /// More files than any user has.
    private static let capacity = 20_000

    private var classifications: [ScannedItem: Classification] = [:]

    /// The cached classification of `item`, `nil` if its file must be read.
    subscript(item: ScannedItem) -> Classification? {
        item.kind == .file ? classifications[item] : nil
    }

    /// Stores the classification of a file; `now` are seconds since 1970.
    mutating func store(_ classification: Classification, for item: ScannedItem, now: Int) {
        guard item.kind == .file, item.isSettled(at: now), item.size > 0,
            classifications.count < Self.capacity
        else { return }
        switch classification {
        // Permissions may change without a change of the item.
        case .unreadable, .unread: break
        default: classifications[item] = classification
        }
    }

    mutating func removeAll(except items: [ScannedItem]) {
        guard classifications.count > items.count(where: { $0.kind == .file }) else { return }
        let present = Set(items)
        classifications = classifications.filter { present.contains($0.key) }
    }

    /// Removes unrecognized items: a change of the mirror may make them recognizable.
    mutating func removeUnrecognized() {
        classifications = classifications.filter { !$0.value.isUnrecognized }
    }
}
