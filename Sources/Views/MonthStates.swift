internal import APOD
internal import Mirror
internal import Platform

/// The files that a view makes of the days of one month.
protocol MonthOfView {
    /// Of one month; not empty.
    var files: ArraySlice<TreeSnapshot.DayFiles> { get }
    /// Identifies what they are made from, and what is there of them.
    var digest: String { get }

    /// Writes or removes each of them that is not up to date.
    func update(_ outcome: inout ViewOutcome) throws(SystemError)
}

extension MonthOfView {
    /// Such as `2026-11`.
    fileprivate var name: String { files.first.map { "\(Month(of: $0.day))" } ?? "" }
}

/// Which months of a view are up to date: a file in `.apod-mirror/`, which may be deleted.
///
/// Only months whose digest changed are read.
struct MonthStates: Sendable {
    /// Relative to the root.
    private let path: String
    /// The digest of each month while its files were up to date; `nil` if they are not read yet.
    private let digests = Monitor([String: String]?.none)

    init(at path: String) { self.path = path }

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
                let digest = month.digest
                if new[month.name] == digest { continue }
                let before = outcome
                try month.update(&outcome)
                // The digest is that of the files before they were written. Solving a problem need not change a file:
                // the month is read again until then.
                new[month.name] = outcome == before ? digest : nil
                await Task.yield()
            }
        } catch {
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
