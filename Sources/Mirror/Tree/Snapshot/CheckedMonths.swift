internal import APOD
internal import Platform

/// The months whose records agreed with their files when they were last compared: the contents of `checked.json`.
///
/// Each month is stored with its digest in ``TreeSnapshot/digests``. As long as the month has this digest, its records need
/// not be read again: see ``Store/recordedDays(in:)``. Beside the months, `checked.json` has the recorded size of each day
/// whose files have another one, and the days with imported pictures.
///
/// If `checked.json` is missing or damaged, all records are read once. While it cannot be read, all records are read each
/// time, and the file is not overwritten.
final class CheckedMonths: Sendable {
    struct Table {
        /// The digests by month.
        fileprivate(set) var digests: [Month: Int] = [:]
        /// The ``RecordedDays/differingSizes`` of days in these months.
        fileprivate(set) var sizes: [Day: Int] = [:]
        /// The ``RecordedDays/imported`` days in these months.
        fileprivate(set) var imported: Set<Day> = []
        /// The digests in `checked.json`; the sizes there are those of the same months.
        fileprivate var savedDigests: [Month: Int] = [:]

        fileprivate mutating func forget(_ month: Month) {
            digests[month] = nil
            for day in month.days {
                sizes[day] = nil
                imported.remove(day)
            }
        }
    }

    /// What follows the day in the key of an imported picture: `2026-11-20 imported`.
    private static let importedSuffix = " imported"
    /// The key, with any value, of a file that has the imported pictures; earlier versions did not write them.
    private static let importedKey = "imported"

    /// `nil` until `checked.json` has been read.
    private let cached = SharedValue(Table?.none)

    /// What was recorded; empty while `checked.json` cannot be read.
    func table(in tree: Tree) -> Table {
        cached.withLock { cached in
            if let cached { return cached }
            var table = Table()
            guard let saved: [String: Int] = try? (tree.state(at: Layout.checkedMonths) ?? [:])
            else { return table }
            guard saved[Self.importedKey] != nil else {
                cached = table
                return table
            }
            for (text, number) in saved {
                if let month = Month(text) { table.digests[month] = number }
                if let day = Day(iso: text) { table.sizes[day] = number }
                if text.hasSuffix(Self.importedSuffix),
                    let day = Day(iso: text.dropLast(Self.importedSuffix.count))
                {
                    table.imported.insert(day)
                }
            }
            table.savedDigests = table.digests
            cached = table
            return table
        }
    }

    /// Sets the digest of a month, `nil` if its records and files differ, and what `recordedDays` knows of its days.
    func record(_ month: Month, _ digest: Int?, of recordedDays: RecordedDays) {
        cached.withLock { table in
            guard table != nil, table?.digests[month] != digest else { return }
            table?.forget(month)
            guard let digest else { return }
            table?.digests[month] = digest
            for day in month.days {
                table?.sizes[day] = recordedDays.differingSizes[day]
                if recordedDays.imported.contains(day) { table?.imported.insert(day) }
            }
        }
    }

    /// Forgets `month`: one of its records changes in what is stored here, although its files do not.
    ///
    /// If `checked.json` cannot be written now, an imported picture stays protected until a file of the month changes.
    func forget(_ month: Month, in store: Store) {
        guard table(in: store.tree).digests[month] != nil else { return }
        cached.withLock { $0?.forget(month) }
        try? save(in: store)
    }

    /// Writes `checked.json`, if anything has changed since it was read or written.
    func save(in store: Store) throws(SystemError) {
        guard let table = cached.withLock(\.self), table.digests != table.savedDigests else {
            return
        }
        var texts = [Self.importedKey: 1]
        for (month, digest) in table.digests { texts["\(month)"] = digest }
        for (day, size) in table.sizes { texts["\(day)"] = size }
        for day in table.imported { texts["\(day)\(Self.importedSuffix)"] = 1 }
        try store.write(texts, to: Layout.checkedMonths)
        // Not those of this moment, which may have changed while the file was written.
        cached.withLock { $0?.savedDigests = table.digests }
    }
}
