package import APOD
package import Mirror
package import Platform

/// Verifies a mirror: compares the files of each day with its record, and changes nothing.
///
/// It needs no lock, so that the command `verify` can use it while a daemon runs. In the daemon, ``Verification`` uses it.
package struct TreeVerifier: Sendable {
    private let snapshot: TreeSnapshot
    private let dayVerifier: DayVerifier
    /// The days whose record is lost.
    private let daysWithoutRecord: Set<Day>
    /// Why internal files cannot be read that show what should be in the tree; what only they show is not verified.
    private let unreadableFiles: [String: SystemError]
    private let progress: @Sendable (VerifyProgress) -> Void

    /// The number of days that one task verifies before the findings are collected.
    private static let daysPerTask = 4

    /// Prepares to verify the days in `snapshot`, a snapshot of `tree`, which may be open for reading only.
    ///
    /// If `isQuick`, pictures and videos are not read: only their existence, type and size are compared. If another process
    /// publishes a day at the same moment, the day may count as damaged.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up.
    package init(
        _ tree: Tree, _ snapshot: TreeSnapshot, isQuick: Bool = false,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) throws(SystemError) {
        self.snapshot = snapshot
        self.progress = progress
        var errors: [String: SystemError] = [:]
        /// What `body` reads from `path`; `nil` if that cannot be read.
        func contents<Value>(
            of path: String, _ body: () throws(SystemError) -> Value
        ) throws(SystemError) -> Value? {
            do {
                return try body()
            } catch {
                guard !error.concernsEveryFile else { throw error }
                errors[path] = error
                return nil
            }
        }
        let pins = try contents(of: Layout.favoriteStore, tree.pins)
        dayVerifier = DayVerifier(tree: tree, isQuick: isQuick, pins: pins ?? [:]) {
            progress(.read(bytes: $0))
        }
        let state = try contents(of: Layout.state, Store(reading: tree).state)
        // Only the state says whether a picture without a record is a person's.
        daysWithoutRecord = state.map(snapshot.daysWithoutRecord) ?? []
        unreadableFiles = errors
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

    /// The findings in `scope`, in the order of their days; blocks the thread.
    ///
    /// - Throws: `CancellationError`; ``SystemError`` if descriptors or memory are used up, or if a read was cancelled.
    package func findings(in scope: VerifyScope) throws -> [VerifyFinding] {
        try days(in: scope).flatMap(findings)
            + (scope == .all ? Self.findings(of: unreadableParts) : [])
    }

    /// Reports the same findings as ``findings(in:)``, in the same order, while the verification goes on.
    ///
    /// Internal files that cannot be read are reported in any scope, because a person waits for the result.
    ///
    /// `width` tasks verify at the same time, because a single one cannot compute hashes while it waits for the disk.
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
        report(Self.findings(of: scope == .all ? unreadableParts : unreadableFiles))
    }

    private func findings(of day: Day) throws -> [VerifyFinding] {
        try Task.checkCancellation()
        defer { progress(.day) }
        return try dayVerifier.findings(of: day, hadRecord: daysWithoutRecord.contains(day))
    }

    /// What only one internal file or folder shows, so that it is not examined if that cannot be read.
    package enum Part: Hashable, Sendable, CaseIterable {
        case pins
        case lostRecords

        /// The path of that file or folder.
        var source: String {
            switch self {
            case .pins: Layout.favoriteStore
            case .lostRecords: Layout.state
            }
        }

        /// Whether the file at `path` belongs to the part.
        func has(_ path: String) -> Bool {
            switch self {
            case .pins: path.hasPrefix("\(Layout.favoriteStore)/")
            case .lostRecords: path.hasPrefix("\(Layout.metadata)/")
            }
        }
    }

    /// The parts that were not examined.
    var unknownParts: Set<Part> { Set(Part.allCases.filter { unreadableFiles[$0.source] != nil }) }

    /// Why directories and internal files cannot be read, by their paths.
    var unreadableParts: [String: SystemError] {
        snapshot.unreadable.merging(unreadableFiles) { $1 }
    }

    /// A finding for each directory or internal file that cannot be read; these findings belong to no day.
    private static func findings(of unreadable: [String: SystemError]) -> [VerifyFinding] {
        unreadable.sorted { $0.key < $1.key }.map { path, error in
            VerifyFinding(
                path: path, day: nil, item: .folder,
                kind: error.isNotDirectory ? .damaged : .unreadable,
                expected: "a readable \(path == Layout.state ? "file" : "directory")",
                found: "\(error.call): \(error.reason)")
        }
    }
}

extension TreeSnapshot {
    /// The days that have lost their record: a picture, a thumbnail, or `state` shows that there was one.
    ///
    /// If `state` says that the mirror lacks the picture of a day, a picture that is there belongs to a person.
    fileprivate func daysWithoutRecord(_ state: SyncState) -> Set<Day> {
        let illustrated = days(where: { files in
            files.record == nil && (files.thumbnail != nil || files.hasMedia)
                && state.retries[files.day]?.hasFiles != false
        })
        let known = state.retries.filter { $0.value.hasFiles && self[$0.key]?.record == nil }
        // The record of a day may exist if its directory cannot be read.
        return illustrated.union(known.keys).filter { readError(of: $0) == nil }
    }
}

/// A step of a verification that has ended.
package enum VerifyProgress: Sendable {
    /// A picture or video of so many bytes was read.
    case read(bytes: Int)
    /// All files of one more day were verified.
    case day
}

/// Which part of the mirror is verified.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and all directories that cannot be read.
    case all
    case days(Set<Day>)

    /// Whether the scope includes `day`; `nil` stands for a file or directory that belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        switch self {
        case .all: true
        case .days(let days): day.map(days.contains) ?? false
        }
    }
}
