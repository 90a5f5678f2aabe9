package import APOD
package import Mirror
package import Platform

/// Verifies a mirror: compares the files of each day with its record, a JSON file with their sizes and hashes.
///
/// It changes nothing, and needs no lock, so that the command `verify` can use it while a daemon runs. In the daemon,
/// ``Verification`` uses it. A ``DayVerifier`` does the work for each day.
package struct TreeVerifier: Sendable {
    private let snapshot: TreeSnapshot
    private let inventories: InventoryContents
    private let dayVerifier: DayVerifier
    /// The days whose record is lost.
    private let daysWithoutRecord: Set<Day>
    private let progress: @Sendable (VerifyProgress) -> Void

    /// The number of days that one task verifies before the findings are collected.
    private static let daysPerTask = 4

    /// Prepares to verify the days in `snapshot`, a snapshot of `tree`, which may be open for reading only.
    ///
    /// If `isQuick`, pictures and videos are not read: only their existence, type and size are compared. If another process
    /// replaces the picture of a day at the same moment, the day may count as damaged.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot, isQuick: Bool = false,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) throws(SystemError) {
        self.snapshot = snapshot
        self.progress = progress
        inventories = try InventoryContents(of: tree)
        let pins = (try? inventories.pins.get()) ?? [:]
        dayVerifier = DayVerifier(tree: tree, isQuick: isQuick, pins: pins) {
            progress(.read(bytes: $0))
        }
        // Only the state says whether a picture without a record is a person's.
        switch inventories.state {
        case .success(let state): daysWithoutRecord = snapshot.daysWithoutRecord(by: state)
        case .failure: daysWithoutRecord = []
        }
    }

    /// The days that the mirror is to have, but of which nothing is here, as in an incomplete copy of a mirror: no record, no
    /// sign of a lost one, and no failed sync.
    package var absentDays: Set<Day> {
        guard case .success(let state) = inventories.state, let range = state.range
        else { return [] }
        return Set(range).subtracting(Day.neverPublished).subtracting(state.retries.keys)
            .subtracting(days(in: .all)).filter { snapshot.readError(of: $0) == nil }
    }

    /// The days of `scope`, in ascending order.
    ///
    /// The scope ``VerifyScope/all`` has the days that have a record or have lost it. Days that a scope names are verified
    /// even if the walk could not read their directories.
    package func days(in scope: VerifyScope) -> [Day] {
        switch scope {
        case .all: snapshot.recorded.union(daysWithoutRecord).sorted()
        case .days(let days): days.sorted()
        }
    }

    /// Verifies `scope`, and reports the findings in the order of their days, while the verification goes on.
    ///
    /// At the end, each ``FileInventory`` that cannot be read is reported, and in the scope ``VerifyScope/all`` each directory, too.
    /// `width` tasks verify at the same time, because a single one cannot compute hashes while it waits for the disk.
    package func run(
        _ scope: VerifyScope, width: Int, report: ([VerifyFinding]) -> Void
    ) async throws {
        let days = self.days(in: scope)
        let batchSize = width * Self.daysPerTask
        for start in stride(from: 0, to: days.count, by: batchSize) {
            report(try await findingsByTasks(of: days[start...].prefix(batchSize)))
        }
        report(findings(of: scope == .all ? unreadablePaths : unreadableInventories))
    }

    /// The findings of `days`, in their order; each task verifies ``daysPerTask`` of them.
    private func findingsByTasks(of days: ArraySlice<Day>) async throws -> [VerifyFinding] {
        let found = try await withThrowingTaskGroup(of: [VerifyFinding].self) { group in
            for start in stride(from: days.startIndex, to: days.endIndex, by: Self.daysPerTask) {
                let daysOfTask = days[start...].prefix(Self.daysPerTask)
                group.addTask { try daysOfTask.flatMap { try findings(of: $0) } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let findingsByDay = Dictionary(grouping: found, by: \.day)
        return days.flatMap { findingsByDay[$0] ?? [] }
    }

    /// The findings of `day`; blocks the thread.
    ///
    /// - Throws: `CancellationError`; ``SystemError`` if descriptors or memory are used up, or if a read was cancelled.
    func findings(of day: Day) throws -> [VerifyFinding] {
        try Task.checkCancellation()
        defer { progress(.day) }
        return try dayVerifier.findings(of: day, hadRecord: daysWithoutRecord.contains(day))
    }

    // MARK: What cannot be read

    /// The inventories that cannot be read; the files that only they list are not verified.
    var unknownInventories: Set<FileInventory> { Set(inventories.errors.keys) }

    /// Why directories and inventories cannot be read, by their paths.
    var unreadablePaths: [String: SystemError] {
        snapshot.unreadable.merging(unreadableInventories) { $1 }
    }

    private var unreadableInventories: [String: SystemError] {
        Dictionary(uniqueKeysWithValues: inventories.errors.map { ($0.key.path, $0.value) })
    }

    /// A finding for each of the `errors` by path; these findings belong to no day.
    func findings(of errors: [String: SystemError]) -> [VerifyFinding] {
        errors.sorted { $0.key < $1.key }.map { path, error in
            VerifyFinding(
                path: path, day: nil, item: .folder,
                kind: error.isNotDirectory ? .damaged : .unreadable,
                expected: "a readable \(path == Layout.state ? "file" : "directory")",
                found: "\(error.call): \(error.reason)")
        }
    }
}

/// A step of a verification that has ended, for the display of its progress.
package enum VerifyProgress: Sendable {
    /// A picture or video of so many bytes was read.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}

extension TreeSnapshot {
    /// The days that have lost their record: a picture, a thumbnail, or `state` shows that there was one.
    ///
    /// If `state` says that the mirror lacks the picture of a day, a picture that is there belongs to a person.
    fileprivate func daysWithoutRecord(by state: SyncState) -> Set<Day> {
        let daysWithOtherFiles = days(where: { files in
            files.record == nil && (files.thumbnail != nil || files.hasMedia)
                && state.retries[files.day]?.hasFiles != false
        })
        let daysInState = state.retries.filter { day, retry in
            retry.hasFiles && self[day]?.record == nil
        }
        // The record of a day may exist if its directory cannot be read.
        return daysWithOtherFiles.union(daysInState.keys).filter { readError(of: $0) == nil }
    }
}
