package import APOD
package import Mirror
package import Platform

/// Verifies a tree: compares the files of each day with its record, and changes nothing.
///
/// The command `verify` uses it beside a running daemon, as it needs no lock; ``Verification`` uses it in the daemon.
package struct TreeVerifier: Sendable {
    private let snapshot: TreeSnapshot
    private let dayVerifier: DayVerifier
    /// The days without a record that had one.
    private let daysWithoutRecord: Set<Day>
    private let progress: @Sendable (VerifyProgress) -> Void

    /// The days that one task verifies before the findings are reported in order.
    private static let daysPerTask = 4

    /// Prepares to verify what `snapshot` has of `tree`, which may be open for reading only.
    ///
    /// A verification that `isQuick` does not read pictures and videos, but compares existence, type and size. A day
    /// that another process publishes at this moment may count as damaged.
    ///
    /// - Throws: ``SystemError`` if it is not known what should be there, because the pins or the state cannot be read.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot, isQuick: Bool = false,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) throws(SystemError) {
        self.snapshot = snapshot
        self.progress = progress
        dayVerifier = try DayVerifier(tree, isQuick: isQuick) { progress(.read(bytes: $0)) }
        daysWithoutRecord = snapshot.daysWithoutRecord(try Store(reading: tree).state())
    }

    /// The days to verify, in ascending order: of all days, those that have or had a record; else all days that `scope`
    /// names, even if the walk could not read their directories.
    package func days(in scope: VerifyScope) -> [Day] {
        switch scope {
        case .all: snapshot.recorded.union(daysWithoutRecord).sorted()
        case .days(let days): days.sorted()
        }
    }

    /// The findings in `scope`, in the order of days; blocks the thread.
    ///
    /// - Throws: `CancellationError`, or ``SystemError`` if descriptors or memory are used up, or a read was cancelled.
    package func findings(in scope: VerifyScope) throws -> [VerifyFinding] {
        try days(in: scope).flatMap(findings) + unreadableFolders(in: scope)
    }

    /// Reports the findings of ``findings(in:)`` in the same order, as soon as they are known.
    ///
    /// `width` tasks verify at a time, because a single thread cannot hash while it waits for the disk.
    package func run(
        _ scope: VerifyScope, width: Int, report: ([VerifyFinding]) -> Void
    ) async throws {
        var remaining = days(in: scope)[...]
        while !remaining.isEmpty {
            let batch = remaining.prefix(width * Self.daysPerTask)
            remaining = remaining.dropFirst(batch.count)
            let found = try await withThrowingTaskGroup(of: [VerifyFinding].self) { group in
                for start in stride(
                    from: batch.startIndex, to: batch.endIndex, by: Self.daysPerTask)
                {
                    let days = batch[start...].prefix(Self.daysPerTask)
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

    /// The findings of directories that cannot be read, which belong to no day.
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
    /// The days that had a record, as `state`, a thumbnail or a picture shows.
    ///
    /// If `state` says that a day is missing, its picture is a person's.
    fileprivate func daysWithoutRecord(_ state: SyncState) -> Set<Day> {
        let illustrated = days(where: { files in
            files.record == nil && (files.thumbnail != nil || files.hasMedia)
                && state.retries[files.day]?.hasFiles != false
        })
        let known = state.retries.filter { $0.value.hasFiles && self[$0.key]?.record == nil }
        // In a directory that cannot be read, the records may be there.
        return illustrated.union(known.keys).filter { readError(of: $0) == nil }
    }
}

/// A step of a verification that is done.
package enum VerifyProgress: Sendable {
    /// So many bytes of a picture or video were read.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}

/// Which part of the tree is verified.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and the directories that cannot be read.
    case all
    case days(Set<Day>)

    /// Whether the scope includes `day`; `nil` stands for what belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        switch self {
        case .all: true
        case .days(let days): day.map(days.contains) ?? false
        }
    }
}
