internal import APOD
package import Mirror
internal import Platform

/// Verifies a tree against its records, without the lock and without changing anything.
package struct TreeVerifier: Sendable {
    let tree: Tree
    let days: DayVerifier
    private let snapshot: TreeSnapshot
    private let progress: @Sendable (VerifyProgress) -> Void

    /// Verifies what `snapshot` has of `tree`, which may be open for reading only.
    ///
    /// A verification that `isQuick` reads no pictures and videos: it compares existence, size and time. A
    /// tree that `hasWriter` may be written by another process meanwhile.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot,
        expecting expectations: VerifyExpectations = VerifyExpectations(), isQuick: Bool = false,
        hasWriter: Bool = false, progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) {
        self.tree = tree
        self.snapshot = snapshot
        self.progress = progress
        days = DayVerifier(
            tree: tree,
            files: FileVerifier(root: tree.root, isQuick: isQuick) { bytes in
                progress(.read(bytes: bytes))
                return !Task.isCancelled
            },
            expectations: expectations, previous: PreviousFiles(of: tree), hasWriter: hasWriter)
    }

    /// The findings of the days of `scope` in order, then those of `previous/`, favorites and other names.
    ///
    /// - Throws: If the task is cancelled.
    package func findings(in scope: VerifyScope) throws(VerifyStopped) -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        for month in months(in: scope) { findings += try month.findings() }
        return findings + (try findingsBesideDays(in: scope))
    }

    /// Reports the same findings, month by month; `width` months are verified at a time, because a single
    /// thread cannot hash while it waits for the disk.
    ///
    /// - Throws: If the task is cancelled.
    package func run(
        _ scope: VerifyScope, width: Int, report: ([VerifyFinding]) -> Void
    ) async throws {
        let months = months(in: scope)
        try await withThrowingTaskGroup(of: (Int, [VerifyFinding]).self) { group in
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
                if index >= width, let (index, findings) = try await group.next() {
                    finish(index, findings)
                }
                group.addTask { (index, try month.findings()) }
            }
            for try await (index, findings) in group { finish(index, findings) }
        }
        report(try findingsBesideDays(in: scope))
    }

    /// A verifier for each month that may have a day of `scope`, in ascending order.
    private func months(in scope: VerifyScope) -> [MonthVerifier] {
        let files = Dictionary(grouping: snapshot.days) { Month(of: $0.day) }
        let others = Dictionary(grouping: snapshot.others, by: \.month)
        let unreadable = Dictionary(grouping: snapshot.unreadable) { Self.month(at: $0.key) }
        let months = Set(files.keys).union(others.keys.compactMap(\.self))
            .union(unreadable.keys.compactMap(\.self))
        return months.filter { scope.mayContain($0) }.sorted().map {
            MonthVerifier(
                tree: tree, days: days, scope: scope, files: files[$0] ?? [],
                others: others[$0] ?? [],
                unreadable: (unreadable[$0] ?? []).sorted { $0.key < $1.key }.map {
                    VerifyFinding($0.key, of: nil, .unreadable($0.value))
                }, progress: progress)
        }
    }

    /// The month whose directory is at `path`; `nil` for other paths.
    private static func month(at path: String) -> Month? { Month(Layout.split(path).name) }

    // MARK: What belongs to no day

    private func findingsBesideDays(
        in scope: VerifyScope
    ) throws(VerifyStopped) -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        // Months verify the pins of all other days.
        for day in days.expectations.pins.keys.sorted()
        where scope.contains(day) && snapshot[day]?.isMirrored != true {
            var result = VerifiedDay(day: day)
            try days.verifyLonePin(&result)
            findings += result.findings
        }
        findings += try previousFindings(in: scope)
        findings += days.expectations.favorites().filter { scope.contains($0.day) }
        return scope == .all ? findings + nameFindings() : findings
    }

    /// Verifies the names beside days, and the files that are made from the newest days.
    package func nameFindings() -> [VerifyFinding] {
        // Each month verifies its own folder.
        let folders = snapshot.unreadable.filter { Self.month(at: $0.key) == nil }
        let unreadable = folders.sorted { $0.key < $1.key }.map { path, error in
            let kind = (try? tree.root.status(path))??.kind ?? .directory
            return VerifyFinding(
                path, of: nil, kind == .directory ? .unreadable(error) : .unclaimed(kind))
        }
        return unreadable + foreignFindings() + ownFindings()
    }

    /// The items beside the directories of years and months.
    private func foreignFindings() -> [VerifyFinding] {
        snapshot.others.filter { $0.month == nil }.compactMap { item in
            let path = String(decoding: item.path, as: UTF8.self)
            // The mirror's: hides the thumbnails from photo apps on phones.
            guard path != "\(Layout.thumbnails)/.nomedia" else { return nil }
            return VerifyFinding(path, of: nil, .unclaimed(item.kind))
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

/// The verification was stopped before its end.
package struct VerifyStopped: Error {}
