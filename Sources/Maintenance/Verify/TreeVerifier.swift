package import APOD
package import Mirror
package import Platform

/// Verifies a tree: compares the files of each day with its record, and changes nothing.
///
/// The command `verify` uses it while the daemon runs, as it needs no lock; ``Verification`` uses it in the daemon.
package struct TreeVerifier: Sendable {
    private let snapshot: TreeSnapshot
    private let dayVerifier: DayVerifier
    private let progress: @Sendable (VerifyProgress) -> Void

    /// So many days are verified by each of several tasks before their findings are reported in order.
    private static let daysPerTask = 4

    /// Verifies what `snapshot` has of `tree`, which may be open for reading only.
    ///
    /// A verification that `isQuick` reads no pictures and videos: it compares existence, type and size. A day that
    /// another process publishes in this moment may count as damaged.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot, isQuick: Bool = false,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) throws(SystemError) {
        self.snapshot = snapshot
        self.progress = progress
        dayVerifier = try DayVerifier(tree, isQuick: isQuick) { progress(.read(bytes: $0)) }
    }

    /// The days with a record in `scope`, in ascending order: those that are verified.
    package func days(in scope: VerifyScope) -> [Day] {
        snapshot.recordedInOrder.filter(scope.contains)
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
        return try dayVerifier.findings(of: day)
    }

    /// The directories that cannot be read belong to no day.
    private func unreadableFolders(in scope: VerifyScope) -> [VerifyFinding] {
        guard scope == .all else { return [] }
        return snapshot.unreadable.sorted { $0.key < $1.key }.map { path, error in
            VerifyFinding(
                path: path, day: nil, item: .folder, kind: .damaged,
                expected: "a readable directory", found: "\(error.call): \(error.reason)")
        }
    }
}

/// What a verification has done.
package enum VerifyProgress: Sendable {
    /// Bytes of a file were read; none in a quick verification.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}
