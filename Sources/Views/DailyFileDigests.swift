internal import APOD
internal import Mirror
internal import Platform

/// The files of one month in a view that makes a file of each day: the unit of ``DailyFileDigests``.
protocol DailyFileMonth {
    /// The days of the month that can have such files, in ascending order; not empty.
    var days: ArraySlice<TreeSnapshot.DayFiles> { get }
    /// A hash that changes when anything changes that ``update(_:)`` reads or writes.
    var digest: String { get }

    /// Reads the records of the month; writes or removes each file that is not up to date.
    func update(_ outcome: inout ViewOutcome) throws(SystemError)
}

/// Which months of a view that makes a file of each day are up to date, so that an update reads only the records of the
/// others: ``V1View`` and ``SidecarsView``.
///
/// The gallery has none of these: each of its pages ends with its own ``InputDigest``.
///
/// A month is up to date if its digest is the one that was stored after an update without changes. So a changed month is
/// updated twice: the first update changes the files, and with them the digest. The digests are in a file in
/// `.apod-mirror/`, which may be deleted, damaged or out of date: then months are only updated once more.
struct DailyFileDigests: Sendable {
    /// Relative to the root.
    private let path: String
    /// The digest of each month that is up to date, by its name: at most those since 1995; `nil` if the file is not read
    /// yet.
    private let digests = SharedValue([String: String]?.none)

    init(at path: String) { self.path = path }

    /// Updates those of `months` that are not up to date.
    func update(_ months: [some DailyFileMonth], in store: Store) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let earlier = try digests.withLock(\.self) ?? store.tree.state(at: path) ?? [:]
        var new = earlier
        defer {
            digests.withLock { [new] in $0 = new }
        }
        do {
            for month in months {
                try Task.checkCancellation()
                guard let first = month.days.first else { continue }
                let (name, digest) = ("\(Month(of: first.day))", month.digest)
                guard new[name] != digest else { continue }
                let before = outcome
                try month.update(&outcome)
                // A problem is part of the outcome, and its solution need not change a file: such a month stays outdated.
                new[name] = outcome == before ? digest : nil
                await Task.yield()
            }
        } catch {
            // An error of saving would hide this one, and costs only another update.
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
