internal import Platform

/// What files turned out to be, so that the next look need not open them again.
///
/// It may be forgotten at any time; it costs a second look then.
struct ClassificationCache {
    /// So many are remembered, more than people have.
    private static let most = 20_000

    private var verdicts: [ScannedItem: Classification] = [:]

    /// What `item` is, `nil` where it must be looked at.
    subscript(item: ScannedItem) -> Classification? { item.kind == .file ? verdicts[item] : nil }

    /// Remembers what `item` is, as of `now` in seconds since 1970.
    mutating func note(_ item: ScannedItem, _ verdict: Classification, now: Int) {
        // Written again within the same second it would look the same.
        guard item.kind == .file, item.modified < now - 2, item.size > 0,
            verdicts.count < Self.most
        else { return }
        verdicts[item] = verdict
    }

    /// Forgets what is not there any more.
    mutating func keepOnly(_ items: [ScannedItem]) {
        guard verdicts.count > items.count(where: { $0.kind == .file }) else { return }
        let present = Set(items)
        verdicts = verdicts.filter { present.contains($0.key) }
    }

    /// Forgets what was not understood: the mirror may have what explains it by now.
    mutating func forgetDoubts() {
        verdicts = verdicts.filter { !$0.value.isDoubt }
    }
}
