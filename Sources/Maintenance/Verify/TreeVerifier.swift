internal import APOD
package import Mirror
internal import Platform

/// Verifies a tree: compares all files with the records, and changes nothing.
///
/// The command `verify` uses it while the daemon runs, as it needs no lock; ``Verification`` uses it in the daemon.
/// ``MonthVerifier`` and ``DayVerifier`` do the work of a month and of a day.
package struct TreeVerifier: Sendable {
    let tree: Tree
    let dayVerifier: DayVerifier
    let snapshot: TreeSnapshot
    private let progress: @Sendable (VerifyProgress) -> Void

    /// Verifies what `snapshot` has of `tree`, which may be open for reading only.
    ///
    /// A verification that `isQuick` reads no pictures and videos: it compares existence, size and time. Where a tree
    /// `hasWriter`, another process or task may publish a day or make a pin meanwhile.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot,
        expecting expectations: VerifyExpectations = VerifyExpectations(), isQuick: Bool = false,
        hasWriter: Bool = false, progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) {
        self.tree = tree
        self.snapshot = snapshot
        self.progress = progress
        dayVerifier = DayVerifier(
            tree: tree,
            fileVerifier: FileVerifier(root: tree.root, isQuick: isQuick) { bytes in
                progress(.read(bytes: bytes))
                return !Task.isCancelled
            },
            expectations: expectations, previous: PreviousFiles(of: tree), hasWriter: hasWriter)
    }

    /// The findings of the months with days in `scope`, in order, then all others; for a caller that blocks its thread.
    ///
    /// - Throws: If the task is cancelled.
    package func findings(in scope: VerifyScope) throws(VerifyStopped) -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        for month in months(in: scope) { findings += try month.findings() }
        return findings + (try findingsBesideMonths(in: scope))
    }

    /// Reports the same findings in the same order, each month as soon as it and all earlier ones are verified.
    ///
    /// `width` months are verified at a time, because a single thread cannot hash while it waits for the disk.
    ///
    /// - Throws: If the task is cancelled.
    package func run(
        _ scope: VerifyScope, width: Int, report: ([VerifyFinding]) -> Void
    ) async throws {
        let months = months(in: scope)
        try await withThrowingTaskGroup(of: (Int, [VerifyFinding]).self) { group in
            // The findings of months that wait for an earlier one.
            var finished: [Int: [VerifyFinding]] = [:]
            var reported = 0
            func finish(_ index: Int, _ findings: [VerifyFinding]) {
                finished[index] = findings
                while let next = finished.removeValue(forKey: reported) {
                    report(next)
                    reported += 1
                }
            }
            for (index, month) in months.enumerated() {
                if index >= width, let (finishedIndex, findings) = try await group.next() {
                    finish(finishedIndex, findings)
                }
                group.addTask { (index, try month.findings()) }
            }
            for try await (index, findings) in group { finish(index, findings) }
        }
        report(try findingsBesideMonths(in: scope))
    }

    /// A verifier for each month that may have a day of `scope`, in ascending order.
    private func months(in scope: VerifyScope) -> [MonthVerifier] {
        let dayFiles = Dictionary(grouping: snapshot.days) { Month(of: $0.day) }
        let otherItems = Dictionary(grouping: snapshot.others, by: \.month)
        let unreadable = Dictionary(grouping: snapshot.unreadable) { Self.month(ofFolder: $0.key) }
        let months = Set(dayFiles.keys).union(otherItems.keys.compactMap(\.self))
            .union(unreadable.keys.compactMap(\.self))
        return months.filter { scope.mayContain($0) }.sorted().map {
            MonthVerifier(
                tree: tree, dayVerifier: dayVerifier, scope: scope, dayFiles: dayFiles[$0] ?? [],
                otherItems: otherItems[$0] ?? [],
                unreadable: (unreadable[$0] ?? []).sorted { $0.key < $1.key }.map {
                    VerifyFinding($0.key, of: nil, .unreadable($0.value))
                }, progress: progress)
        }
    }

    /// The month of a directory such as `pictures/2026/2026-11`; `nil` for other paths of a snapshot.
    static func month(ofFolder path: String) -> Month? { Month(Layout.split(path).name) }

    /// The findings of pins whose days the months do not have, of `previous/`, of favorites, and of no day.
    private func findingsBesideMonths(
        in scope: VerifyScope
    ) throws(VerifyStopped) -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        for day in dayVerifier.expectations.pins.keys.sorted()
        where scope.contains(day) && snapshot[day]?.isMirrored != true {
            var result = VerifiedDay(day: day)
            try dayVerifier.verifyPinWithoutRecord(&result)
            findings += result.findings
        }
        findings += try dayVerifier.previous.findings(in: scope, by: dayVerifier.fileVerifier)
        findings += dayVerifier.expectations.favorites().filter { scope.contains($0.day) }
        return scope == .all ? findings + findingsOfNoDay() : findings
    }
}

/// What a verification has done.
package enum VerifyProgress: Sendable {
    /// Bytes of a file were read; none in a quick verification.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}

/// The verification was stopped before its end.
package struct VerifyStopped: Error {}
