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
/// The daemon runs it after each sync, and `verify --repair` once. Its methods block their thread; neither a sync nor
/// another method may run meanwhile, because all of them publish files of days.
package final class Verification: Sendable {
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The damage recorded earlier that a sync, a scan or a user has repaired.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is to download files of days that were no ``suspects`` before.
        package var needsSync = false
        /// Whether the task was cancelled before the end; then nothing was repaired.
        package var isStopped = false
    }

    private let store: Store
    private let now: @Sendable () -> Date
    /// The state, and the state that `verify.json` has.
    private let state: Mutex<(current: VerifyState, saved: VerifyState)>

    /// - Throws: ``SystemError`` as ``VerifyState/read(from:)`` does.
    package init(
        _ store: Store, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(SystemError) {
        self.store = store
        self.now = now
        let saved = try VerifyState.read(from: store.tree)
        state = Mutex((saved, saved))
    }

    /// The days with damage: the next sync downloads what they lack.
    package var suspects: Set<Day> { state.withLock(\.current.suspects) }

    /// The damage that is not repaired yet.
    package var damage: [VerifyState.Damage] { state.withLock(\.current.damage) }

    /// Verifies and repairs `scope`.
    ///
    /// `snapshot` shows the tree as it is now; if it is `nil`, the tree is walked.
    ///
    /// - Throws: An error of reading the tree, or of writing the state.
    package func verify(_ scope: VerifyScope, in snapshot: TreeSnapshot? = nil) throws -> Outcome {
        let snapshot = try snapshot ?? TreeSnapshot(of: store.tree.root)
        let findings: [VerifyFinding]
        do {
            findings = try TreeVerifier(store.tree, snapshot).findings(in: scope)
        } catch  where Task.isCancelled {
            return Outcome(isStopped: true)
        }
        return try repair(findings, in: scope)
    }

    /// Repairs `findings`, which are all that a verification of `scope` has just made.
    package func repair(_ findings: [VerifyFinding], in scope: VerifyScope) throws -> Outcome {
        let known = suspects
        let found = Set(findings.map(\.path))
        var outcome = Outcome()
        outcome.resolved = state.withLock { $0.current.damage(in: scope) }
            .filter { !found.contains($0.path) }
        // After an interruption, a file that was moved away is missing, and found by the next sync or verification.
        outcome.repairs = findings.map(Repairer(store: store).repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            repair.action == .leftToSync && repair.finding.day.map { !known.contains($0) } ?? false
        }
        try update { $0.record(outcome.repairs, in: scope, at: now()) }
        return outcome
    }

    /// Records that a command has verified all days; the next daily slice is the same as without it.
    package func recordVerificationOfAllDays() throws {
        try update { $0.lastComplete = now() }
    }

    /// Changes the state, and writes it if it differs from the saved one.
    private func update(_ change: (inout VerifyState) -> Void) throws {
        try state.withLock { state in
            change(&state.current)
            guard state.current != state.saved else { return }
            try store.write(state.current, to: Layout.verify)
            state.saved = state.current
        }
    }

    /// Verifies and repairs what is due after a sync: damaged days if the sync changed days, and once a day a
    /// ``VerifySlice`` of the mirror.
    package func run(after summary: SyncSummary) throws -> Outcome {
        var days = summary.downloaded + summary.edited > 0 ? suspects : []
        let isSliceDue =
            summary.obstacle == nil && state.withLock { $0.current.isSliceDue(at: now()) }
        guard isSliceDue || !days.isEmpty else { return Outcome() }
        let snapshot = try TreeSnapshot(of: store.tree.root)
        let recorded = snapshot.recordedInOrder
        let slice = VerifySlice(of: recorded, from: state.withLock(\.current.next))
        if isSliceDue { days.formUnion(recorded.filter(slice.range.contains)) }
        let outcome = try verify(.days(days), in: snapshot)
        guard isSliceDue, !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }
}
