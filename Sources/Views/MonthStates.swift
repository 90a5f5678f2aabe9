internal import APOD
internal import Mirror
internal import Platform

/// The files that a view makes of the days of one month, such as their sidecars.
protocol MonthOfView {
    /// The days of the month that can have such files, in ascending order; not empty.
    var days: ArraySlice<TreeSnapshot.DayFiles> { get }
    /// Changes when anything changes that ``update(_:)`` reads or writes.
    var digest: String { get }

    /// Writes or removes each of the files that is not up to date.
    func update(_ outcome: inout ViewOutcome) throws(SystemError)
}

extension [TreeSnapshot.DayFiles] {
    /// The days of each month, newest month first; the days of this array and of each month are in ascending order.
    var months: [ArraySlice<Element>] {
        var months: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last {
            let month = Month(of: last.day)
            let start = rest.lastIndex { Month(of: $0.day) != month }.map { $0 + 1 }
            months.append(rest[(start ?? rest.startIndex)...])
            rest.removeLast(months[months.endIndex - 1].count)
        }
        return months
    }
}

/// Which months of a view are up to date, so that an update reads only the records of the others.
///
/// It is a file in `.apod-mirror/`, which may be deleted or damaged: then all months are updated once.
struct MonthStates: Sendable {
    /// Relative to the root.
    private let path: String
    /// The digest of each month that is up to date, by its name; `nil` if the file is not read yet.
    private let digests = Monitor([String: String]?.none)

    init(at path: String) { self.path = path }

    /// Updates those of `months` that are not up to date.
    func update(_ months: [some MonthOfView], in store: Store) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let earlier = try digests.withLock(\.self) ?? store.tree.state(at: path) ?? [:]
        var new = earlier
        defer {
            digests.withLock { [new] in $0 = new }
        }
        do {
            for month in months {
                try Task.checkCancellation()
                guard let name = month.days.first.map({ "\(Month(of: $0.day))" }),
                    case let digest = month.digest, new[name] != digest
                else { continue }
                let before = outcome
                try month.update(&outcome)
                // A month is up to date if an update changes nothing, so that each changed one is read twice: this digest
                // is that of the files before they were written. A month with a problem is read again until the problem is
                // solved, which need not change a file.
                new[name] = outcome == before ? digest : nil
                await Task.yield()
            }
        } catch {
            // The error says more than another one of saving, after which months are only read again.
            try? save(new, after: earlier, in: store)
            throw error
        }
        try save(new, after: earlier, in: store)
        return outcome
    }

    private func save(
        _ new: [String: String], after earlier: [String: String], in store: Store
    ) throws(SystemError) {
        if new != earlier { try store.write(new, to: path) }
    }
}
