internal import JSON
internal import Mirror
internal import Platform

/// The files that a view makes of the days of one month.
protocol MonthOfView {
    /// Such as `2026-11`.
    var name: String { get }
    /// Identifies what they are made from, and what is there of them.
    var digest: String { get }

    /// Writes or removes each of them that is not up to date.
    func update(_ outcome: inout ViewOutcome) throws(SystemError)
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
        let earlier = try digests.withLock(\.self) ?? read(in: store.tree.root)
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

    private func read(in root: Directory) throws(SystemError) -> [String: String] {
        guard let bytes = try root.read(path), let json = try? JSON(parsing: bytes) else {
            return [:]
        }
        let months = json["months"]?.members ?? []
        return Dictionary(months.map { ($0.key, $0.value.string ?? "") }) { $1 }
    }

    private func save(
        _ new: [String: String], after earlier: [String: String], in store: Store
    ) throws(SystemError) {
        guard new != earlier else { return }
        let months = new.sorted { $0.key < $1.key }
        let json: JSON = [
            "months": .object(months.map { .init(key: $0.key, value: .string($0.value)) })
        ]
        try store.write(json, to: path)
    }
}
