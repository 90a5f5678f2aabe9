internal import APOD
internal import Platform

/// The months whose records need not be read again: they agreed with the files, whose names and sizes are still the same.
///
/// The *record* of a day is a JSON file that names its pictures. To read the records of all days may take minutes. So
/// ``Store/recordedDays(in:)`` adds each month whose records agree with its files, and reads them again only if the month has
/// another digest in ``TreeSnapshot/digests``. The months are saved in `checked.json`. While this file cannot be read, all
/// records are read each time, and the file is not overwritten. If it is missing or damaged, they are read once.
final class CheckedMonths: Sendable {
    /// What is known of the days of a month without their records.
    struct Facts {
        /// The digest of the month when its records agreed with its files.
        let digest: Int
        /// The ``RecordedDays/differingSizes`` of the month.
        var differingSizes: [Day: Int] = [:]
        /// The ``RecordedDays/imported`` days of the month.
        var imported: Set<Day> = []
    }

    private struct State {
        var months: [Month: Facts]
        /// The digests of the months in `checked.json`.
        var savedDigests: [Month: Int]

        var digests: [Month: Int] { months.mapValues(\.digest) }
    }

    /// `nil` until `checked.json` has been read.
    private let state = SharedValue(State?.none)

    /// The months that were added or read; empty while `checked.json` cannot be read.
    func months(in tree: Tree) -> [Month: Facts] {
        state.withLock { state in
            if let state { return state.months }
            guard let months = try? Self.read(in: tree) else { return [:] }
            state = State(months: months, savedDigests: months.mapValues(\.digest))
            return months
        }
    }

    // MARK: Changes

    // Until `checked.json` has been read, `add` and `remove` do nothing. They change it only with the next `save`.

    /// Adds a month whose records were read, and agree with its files.
    func add(_ month: Month, _ facts: Facts) {
        state.withLock { $0?.months[month] = facts }
    }

    /// Removes a month, because its records and files differ.
    func remove(_ month: Month) { state.withLock { $0?.months[month] = nil } }

    /// Removes a month, and writes `checked.json`, because an imported picture of it has become one of NASA's.
    ///
    /// This changes only a record, which the digest of the month does not show. If `checked.json` cannot be written now, the
    /// picture stays protected until a file of the month changes.
    func removeAndSave(_ month: Month, in store: Store) {
        guard months(in: store.tree)[month] != nil else { return }
        remove(month)
        try? save(in: store)
    }

    /// Writes `checked.json`, if the digest of a month was added, changed or removed since it was read or written.
    func save(in store: Store) throws(SystemError) {
        guard let written = state.withLock(\.self), written.digests != written.savedDigests else {
            return
        }
        try store.write(Self.numbers(of: written.months), to: Layout.checkedMonths)
        // Other months may have been added while the file was written.
        state.withLock { $0?.savedDigests = written.digests }
    }

    // MARK: The file

    // `checked.json` is one object of numbers, such as
    //
    //     "2026-11": 3141592653        the digest of the month
    //     "2026-11-20": 483120         the size of the day in `differingSizes`
    //     "2026-11-20 imported": 1     the day is one of `imported`

    private static let importedSuffix = " imported"

    private static func read(in tree: Tree) throws(SystemError) -> [Month: Facts] {
        let numbers: [String: Int] = try tree.state(at: Layout.checkedMonths) ?? [:]
        var months: [Month: Facts] = [:]
        // Sorted, a month comes before its days.
        for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
            if let month = Month(key) {
                months[month] = Facts(digest: number)
            } else if let day = Day(iso: key) {
                months[Month(of: day)]?.differingSizes[day] = number
            } else if key.hasSuffix(importedSuffix),
                let day = Day(iso: key.dropLast(importedSuffix.count))
            {
                months[Month(of: day)]?.imported.insert(day)
            }
        }
        return months
    }

    private static func numbers(of months: [Month: Facts]) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for (month, facts) in months {
            numbers["\(month)"] = facts.digest
            for (day, size) in facts.differingSizes { numbers["\(day)"] = size }
            for day in facts.imported { numbers["\(day)\(importedSuffix)"] = 1 }
        }
        return numbers
    }
}
