package import APOD
package import FoundationEssentials
package import Mirror
package import Platform
internal import Synchronization

/// Verifies and repairs a tree that is open for writing, and records the damage in `.apod-mirror/verify.json`.
///
/// A ``TreeVerifier`` finds the damage, a ``Repairer`` repairs what it can, and ``VerifyState`` has what is left for
/// the next sync.
///
/// The daemon runs it before and after each sync, and `verify --repair` once. Its methods block their thread; neither a
/// sync nor another method may run meanwhile, because all of them publish files of days.
package final class Verification: Sendable {
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The damage recorded earlier that a sync, a scan or a user has repaired.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is to download files of days that were no ``suspects`` before.
        package var needsSync = false
        /// Whether the task was cancelled before the end; then nothing was repaired.
        package var isStopped = false
        /// Why requests of commands cannot be read, or not removed after they were carried out.
        package var failedRequests: [SystemError] = []

        fileprivate mutating func add(_ other: Outcome) {
            repairs += other.repairs
            resolved += other.resolved
            needsSync = needsSync || other.needsSync
            isStopped = isStopped || other.isStopped
        }
    }

    private let store: Store
    private let expectations: @Sendable () throws -> VerifyExpectations
    private let now: @Sendable () -> Date
    /// The state, and the state that `verify.json` has.
    private let state: Mutex<(current: VerifyState, saved: VerifyState)>
    /// The names of the requests that this process can carry out only once, or not at all, and not remove.
    private let skippedRequests = Mutex<Set<String>>([])

    /// - Throws: ``SystemError`` as ``VerifyState/read(from:)`` does.
    package init(
        _ store: Store, expecting expectations: @escaping @Sendable () throws -> VerifyExpectations,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(SystemError) {
        self.store = store
        self.expectations = expectations
        self.now = now
        let saved = try VerifyState.read(from: store.tree)
        state = Mutex((saved, saved))
    }

    /// The days with damage: the next sync reads their files, and downloads those that are damaged.
    package var suspects: Set<Day> { state.withLock(\.current.suspects) }

    /// Verifies and repairs `scope`.
    ///
    /// `snapshot` shows the tree as it is now; if it is `nil`, the tree is walked. `hasWriter` says that a scan of
    /// favorites may run: a missing pin, which it may be making, is not reported.
    ///
    /// - Throws: An error of reading what is expected, or of writing the state.
    package func verify(
        _ scope: VerifyScope, in snapshot: TreeSnapshot? = nil, hasWriter: Bool = true
    ) throws -> Outcome {
        let expectations = try expectations()
        var outcome = Outcome()
        let findings: [VerifyFinding]
        do {
            let snapshot = try snapshot ?? TreeSnapshot(of: store.tree.root)
            findings = try TreeVerifier(
                store.tree, snapshot, expecting: expectations, hasWriter: hasWriter,
                progress: Self.signalLife
            ).findings(in: scope).filter(\.isDamage)
        } catch is VerifyStopped {
            outcome.isStopped = true
            return outcome
        }
        let known = suspects
        let found = Set(findings.map(\.path))
        outcome.resolved = state.withLock { $0.current.damage(in: scope) }
            .filter { !found.contains($0.path) }
        // Recorded before the repair: after an interruption, the status and the next sync know of the damage. If it
        // cannot be written, the second update below throws.
        try? update { $0.add(findings, at: now()) }
        let repairer = Repairer(store, pins: expectations.pins)
        outcome.repairs = findings.map(repairer.repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            repair.action == .leftToSync && repair.finding.day.map { !known.contains($0) } ?? false
        }
        try update { $0.record(outcome.repairs, in: scope, at: now()) }
        return outcome
    }

    /// Removes damaged files that are made from the newest days, such as `latest.jpg`, to be made again.
    ///
    /// They are not recorded as damage: the views make them at once.
    package func repairViews() throws -> [Repair] {
        try expectations().owned.compactMap { TreeVerifier.damagedView($0, in: store.tree.root) }
            .filter { if case .damagedView = $0.problem { true } else { false } }
            .map(Repairer(store, pins: [:]).repair)
    }

    /// Records that a command has verified all days; the next daily slice is the same as without it.
    package func recordVerificationOfAllDays() throws {
        try update { $0.lastComplete = now() }
    }

    @Sendable private static func signalLife(_: VerifyProgress) { Heartbeat.current?.signal() }

    /// Changes the state, and writes it if it differs from the saved one.
    private func update(_ change: (inout VerifyState) -> Void) throws {
        try state.withLock { state in
            change(&state.current)
            guard state.current != state.saved else { return }
            try store.write(state.current, to: Layout.verify)
            state.saved = state.current
        }
    }

    // MARK: Before and after a sync

    /// Recovers a mirror that was copied or restored from a backup, before a sync downloads what is only misplaced.
    ///
    /// `report` gets a line for each picture that is moved, or that cannot be read. If the task is cancelled, the next
    /// call continues.
    package func recoverCopy(report: @escaping (String) -> Void = { _ in }) throws {
        guard let copy = try CopiedTree(store) else { return }
        // The places first; then sizes are compared, as a copy may be cut; at the end, the copy counts as recovered.
        let snapshot = try copy.recover(at: now(), report: report)
        let verifier = TreeVerifier(
            store.tree, snapshot, isQuick: true, progress: Self.signalLife)
        do {
            let findings = try verifier.findings(in: .days(snapshot.recordedWithMedia))
            // What is only misplaced needs no download.
            try update { state in
                state.add(findings.filter { [.damaged, .missing].contains($0.kind) }, at: now())
            }
            try copy.finish()
        } catch is VerifyStopped {
            // The next call verifies all again.
        }
    }

    /// Whether a command requests the repair of days, as far as that can be read now; the next sync reads it again.
    package var hasRequest: Bool { (try? requests())?.isEmpty == false }

    /// The requests without ``skippedRequests``.
    private func requests() throws(SystemError) -> [String: Result<Set<Day>, SystemError>] {
        let skipped = skippedRequests.withLock(\.self)
        return try RepairRequest.all(in: store.tree).filter { !skipped.contains($0.key) }
    }

    /// Verifies and repairs the days that commands request, before a sync downloads what was only renamed.
    ///
    /// - Returns: `nil` if there is no request; one that was carried out is removed.
    package func runRequest() throws -> Outcome? {
        let requests = try requests()
        guard !requests.isEmpty else { return nil }
        let days = requests.values.compactMap { try? $0.get() }.reduce(into: Set<Day>()) {
            $0.formUnion($1)
        }
        var outcome = try verify(.days(days))
        guard !outcome.isStopped else { return outcome }
        for (name, request) in requests {
            do throws(SystemError) {
                _ = try request.get()
                try RepairRequest.remove(name, from: store.tree)
            } catch {
                // Otherwise each sync would carry it out and be followed by another one.
                skippedRequests.withLock { _ = $0.insert(name) }
                outcome.failedRequests.append(error)
            }
        }
        return outcome
    }

    /// Verifies and repairs what is due after a sync: days that commands request, damaged days if the sync
    /// changed days, and once a day a ``VerifySlice`` of the mirror.
    package func run(after summary: SyncSummary) throws -> Outcome {
        var outcome = try runRequest() ?? Outcome()
        let didChangeDays = summary.downloaded + summary.edited > 0
        if !outcome.isStopped, didChangeDays, !suspects.isEmpty {
            outcome.add(try verify(.days(suspects)))
        }
        let isSliceDue = state.withLock { $0.current.isSliceDue(at: now()) }
        if !outcome.isStopped, !summary.isObstructed, isSliceDue {
            outcome.add(try verifySlice())
        }
        return outcome
    }

    private func verifySlice() throws -> Outcome {
        let snapshot = try TreeSnapshot(of: store.tree.root)
        let days = snapshot.days.filter(\.isMirrored).map(\.day)
        let slice = VerifySlice(of: days, from: state.withLock(\.current.next))
        let outcome = try verify(.range(slice.range), in: snapshot)
        guard !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }
}
