package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform
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
    /// The state, and the state that `verify.json` has; `nil` until that could be read.
    private let state = Mutex<States?>(nil)

    private typealias States = (current: VerifyState, saved: VerifyState)

    package init(_ store: Store, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.now = now
    }

    /// Calls `body` with the states, which are read before the first call.
    ///
    /// - Throws: The error of `body`, or of reading `verify.json`, which the next call reads again.
    private func withStates<Result: Sendable>(
        _ body: (inout States) throws -> Result
    ) throws -> Result {
        try state.withLock { state in
            var states: States
            if let known = state {
                states = known
            } else {
                let saved = try VerifyState.read(from: store.tree)
                states = (saved, saved)
            }
            defer { state = states }
            return try body(&states)
        }
    }

    /// The days with damage: the next sync downloads what they lack; none if `verify.json` cannot be read, which the next
    /// verification reports.
    package var suspects: Set<Day> { (try? withStates { $0.current.suspects }) ?? [] }

    /// The days with a finding of any kind; none if `verify.json` cannot be read.
    package var openDays: Set<Day> { (try? withStates { $0.current.openDays }) ?? [] }

    /// The damage that is not repaired yet.
    package var damage: [VerifyState.Damage] {
        get throws { try withStates { $0.current.damage } }
    }

    /// Verifies and repairs `scope`.
    ///
    /// `snapshot` shows the tree as it is now; if it is `nil`, the tree is walked.
    ///
    /// - Throws: An error of reading the tree, or of writing the state.
    package func verify(_ scope: VerifyScope, in snapshot: TreeSnapshot? = nil) throws -> Outcome {
        let snapshot = try snapshot ?? TreeSnapshot(of: store.tree.root)
        return try verify(scope, by: TreeVerifier(store.tree, snapshot))
    }

    private func verify(_ scope: VerifyScope, by verifier: TreeVerifier) throws -> Outcome {
        let findings: [VerifyFinding]
        do {
            findings = try verifier.findings(in: scope)
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
        outcome.resolved = try withStates { $0.current.damage(decidedBy: findings, in: scope) }
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
        try withStates { state in
            change(&state.current)
            guard state.current != state.saved else { return }
            try store.write(state.current, to: Layout.verify)
            state.saved = state.current
        }
    }

    /// Verifies and repairs what is due after a sync: damaged days if the sync changed days, and once a day a
    /// ``VerifySlice`` of the mirror, with what could not be read before.
    package func run(after summary: SyncSummary) throws -> Outcome {
        let state = try withStates { $0.current }
        var days = summary.downloaded + summary.edited > 0 ? state.suspects : []
        let isSliceDue = summary.obstacle == nil && state.isSliceDue(at: now())
        guard isSliceDue || !days.isEmpty else { return Outcome() }
        // Of damaged days, which may stay damaged for years, only the months are listed.
        let snapshot =
            try isSliceDue
            ? TreeSnapshot(of: store.tree.root) : store.snapshots.current(rereading: days)
        let verifier = try TreeVerifier(store.tree, snapshot)
        let all = verifier.days(in: .all)
        let slice = VerifySlice(of: all, from: state.next)
        if isSliceDue {
            days.formUnion(all.filter(slice.range.contains))
            days.formUnion(state.openDays)
        }
        let outcome = try verify(.days(days), by: verifier)
        guard isSliceDue, !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }
}
