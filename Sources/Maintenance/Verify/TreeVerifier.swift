package import APOD
package import Mirror
package import Platform

/// Verifies a tree: compares the files of each day with its record, and changes nothing.
///
/// The command `verify` uses it while the daemon runs, as it needs no lock; ``Verification`` uses it in the daemon.
package struct TreeVerifier: Sendable {
    private let snapshot: TreeSnapshot
    private let dayVerifier: DayVerifier
    /// The days without a record that had one.
    private let daysWithoutRecord: Set<Day>
    private let progress: @Sendable (VerifyProgress) -> Void

    /// So many days are verified by each of several tasks before their findings are reported in order.
    private static let daysPerTask = 4

    /// Verifies what `snapshot` has of `tree`, which may be open for reading only.
    ///
    /// A verification that `isQuick` reads no pictures and videos: it compares existence, type and size. A day that
    /// another process publishes in this moment may count as damaged.
    ///
    /// - Throws: ``SystemError`` of the pins or of the state, without which it is not known what should be there.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot, isQuick: Bool = false,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) throws(SystemError) {
        self.snapshot = snapshot
        self.progress = progress
        dayVerifier = try DayVerifier(tree, isQuick: isQuick) { progress(.read(bytes: $0)) }
        daysWithoutRecord = snapshot.daysWithoutRecord(try Store(reading: tree).state())
    }

    /// The days that are verified, in ascending order: those in `scope` that have or had a record, and each that it names, as
    /// the walk may not have been able to read its directory.
    package func days(in scope: VerifyScope) -> [Day] {
        switch scope {
        case .all: snapshot.recorded.union(daysWithoutRecord).sorted()
        case .days(let days): days.sorted()
        }
    }

    /// The findings in `scope`, in the order of days; for a caller that blocks its thread.
    ///
    /// - Throws: `CancellationError`, or ``SystemError`` if descriptors or memory are used up, or a read was cancelled.
    package func findings(in scope: VerifyScope) throws -> [VerifyFinding] {
        try days(in: scope).flatMap(findings) + unreadableFolders(in: scope)
    }

    /// Reports the same findings in the same order, as soon as they are known.
    ///
    /// `width` tasks verify at a time, because a single thread cannot hash while it waits for the disk.
    ///
    /// - Throws: As ``findings(in:)``.
    package func run(
        _ scope: VerifyScope, width: Int, report: ([VerifyFinding]) -> Void
    ) async throws {
        var rest = days(in: scope)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(width * Self.daysPerTask)
            rest = rest.dropFirst(batch.count)
            let found = try await withThrowingTaskGroup(of: [VerifyFinding].self) { group in
                var remaining = batch
                while !remaining.isEmpty {
                    let days = remaining.prefix(Self.daysPerTask)
                    remaining = remaining.dropFirst(days.count)
                    group.addTask { try days.flatMap(findings) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let byDay = Dictionary(grouping: found, by: \.day)
            report(batch.flatMap { byDay[$0] ?? [] })
        }
        report(unreadableFolders(in: scope))
    }

    private func findings(of day: Day) throws -> [VerifyFinding] {
        try Task.checkCancellation()
        defer { progress(.day) }
        return try dayVerifier.findings(of: day, hadRecord: daysWithoutRecord.contains(day))
    }

    /// The directories that cannot be read belong to no day.
    private func unreadableFolders(in scope: VerifyScope) -> [VerifyFinding] {
        guard scope == .all else { return [] }
        return snapshot.unreadable.sorted { $0.key < $1.key }.map { path, error in
            VerifyFinding(
                path: path, day: nil, item: .folder,
                kind: error.isNotDirectory ? .damaged : .unreadable,
                expected: "a readable directory", found: "\(error.call): \(error.reason)")
        }
    }
}

extension TreeSnapshot {
    /// The days without a record of which `state`, a thumbnail or a picture shows that they had one.
    ///
    /// The picture of a day that `state` calls missing is a person's.
    fileprivate func daysWithoutRecord(_ state: SyncState) -> Set<Day> {
        let illustrated = days(where: { files in
            files.record == nil && (files.thumbnail != nil || files.hasMedia)
                && state.retries[files.day]?.hasFiles != false
        })
        let known = state.retries.filter { $0.value.hasFiles && self[$0.key]?.record == nil }
        // The records of a directory that cannot be read may be there.
        return illustrated.union(known.keys).filter { readError(of: $0) == nil }
    }
}

/// What a verification has done.
package enum VerifyProgress: Sendable {
    /// Bytes of a file were read; none in a quick verification.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}

/// Which part of the tree is verified.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and the directories that cannot be read.
    case all
    case days(Set<Day>)

    /// Whether the scope includes `day`; for `nil`, what belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        guard let day else { return self == .all }
        return switch self {
        case .all: true
        case .days(let days): days.contains(day)
        }
    }
}
