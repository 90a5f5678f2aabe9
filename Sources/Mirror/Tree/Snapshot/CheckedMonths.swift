internal import APOD
internal import Platform

/// The months whose records agreed with their files when they were last compared: the contents of `checked.json`.
///
/// Each month is stored with its digest in ``TreeSnapshot/digests``. As long as the month has this digest, its records need
/// not be read again: see ``Store/recordedDays(in:)``.
///
/// If `checked.json` is missing or damaged, all records are read once. While it cannot be read, all records are read each
/// time, and the file is not overwritten.
final class CheckedMonths: Sendable {
    private struct Table {
        var digests: [Month: Int]
        /// Whether `checked.json` has the same digests.
        var isSaved: Bool
    }

    /// `nil` until `checked.json` has been read.
    private let cached = SharedValue(Table?.none)

    /// The digests by month; empty while `checked.json` cannot be read.
    func digests(in tree: Tree) -> [Month: Int] {
        cached.withLock { table in
            if let table { return table.digests }
            guard let saved: [String: Int] = try? (tree.state(at: Layout.checkedMonths) ?? [:])
            else { return [:] }
            let digests: [Month: Int] = saved.reduce(into: [:]) { digests, saved in
                if let month = Month(saved.key) { digests[month] = saved.value }
            }
            table = Table(digests: digests, isSaved: true)
            return digests
        }
    }

    /// Sets the digest of a month; `nil` if its records and files differ.
    func record(_ month: Month, _ digest: Int?) {
        cached.withLock { table in
            guard table != nil, table?.digests[month] != digest else { return }
            table?.digests[month] = digest
            table?.isSaved = false
        }
    }

    /// Writes `checked.json`, if a digest has changed since it was read or written.
    func save(in store: Store) throws(SystemError) {
        guard let table = cached.withLock(\.self), !table.isSaved else { return }
        let texts: [String: Int] = table.digests.reduce(into: [:]) { texts, month in
            texts["\(month.key)"] = month.value
        }
        try store.write(texts, to: Layout.checkedMonths)
        cached.withLock { $0?.isSaved = true }
    }
}
