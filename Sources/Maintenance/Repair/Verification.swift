package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform
internal import Synchronization

/// Verifies and repairs a tree that is open for writing, in the daemon beside the syncs, and in `verify --repair` once.
///
/// A ``TreeVerifier`` finds the damage, a ``Repairer`` repairs what it can, and ``VerifyState`` has what is left for
/// the next sync, in `.apod-mirror/verify.json`.
///
/// Its methods block their thread, and only one may run at a time. They leave out a day that a sync downloads or
/// removes, and claim a day while they verify it: see ``DayClaims``.
package final class Verification: Sendable {
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The damage of earlier verifications that a sync, a scan or a user has repaired.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is needed for days that were not among the ``suspects`` before.
        package var needsSync = false
        /// Whether the task was cancelled before the end.
        package var isStopped = false

        fileprivate static func += (outcome: inout Outcome, other: Outcome) {
            outcome.repairs += other.repairs
            outcome.resolved += other.resolved
            outcome.needsSync = outcome.needsSync || other.needsSync
        }
    }

    /// Why a verification is needed after a sync.
    package struct Reason: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package init(after summary: SyncSummary) {
            self = summary.obstacle == nil ? .slice : []
            if summary.downloaded + summary.edited > 0 { insert(.damagedDays) }
        }

        /// Days were downloaded, perhaps damaged ones.
        static let damagedDays = Reason(rawValue: 1)
        /// NASA can be reached, so that a slice of the mirror may be verified.
        static let slice = Reason(rawValue: 2)
    }

    private let store: Store
    private let now: @Sendable () -> Date
    /// `nil` until `verify.json` could be read.
    private let states = Mutex<States?>(nil)

    private struct States {
        var current: VerifyState
        /// The contents of `verify.json`.
        var saved: VerifyState

        init(of tree: Tree) throws(SystemError) {
            saved = try VerifyState.read(from: tree)
            current = saved
        }
    }

    package init(_ store: Store, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.now = now
    }

    /// Calls `body` with the states, which the first call reads; after an error, the next call reads them again.
    private func withStates<Result: Sendable>(
        _ body: (inout States) throws -> Result
    ) throws -> Result {
        try states.withLock { known in
            var states = try known ?? States(of: store.tree)
            defer { known = states }
            return try body(&states)
        }
    }

    /// The days with damage, which the next sync downloads again.
    ///
    /// It is empty if `verify.json` cannot be read, which the next verification reports.
    package var suspects: Set<Day> { (try? withStates { $0.current.suspects }) ?? [] }

    /// The days with a finding of any kind; empty if `verify.json` cannot be read.
    package var openDays: Set<Day> { (try? withStates { $0.current.openDays }) ?? [] }

    package var damage: [VerifyState.Damage] {
        get throws { try withStates { $0.current.damage } }
    }

    /// Verifies and repairs `days`, one after the other, so that no file of a day changes between the two.
    ///
    /// - Throws: An error of reading the tree, or of writing the state.
    package func verify(_ days: Set<Day>) throws -> Outcome {
        try verify(
            days, by: TreeVerifier(store.tree, store.snapshots.current(rereading: days)))
    }

    private func verify(_ days: Set<Day>, by verifier: TreeVerifier) throws -> Outcome {
        var outcome = Outcome()
        for day in days.sorted() {
            guard store.claims.claim(day) else { continue }
            defer { store.claims.release(day) }
            do {
                try Task.checkCancellation()
                outcome += try repair(verifier.findings(in: .days([day])), in: .days([day]))
            } catch  where Task.isCancelled {
                outcome.isStopped = true
                break
            }
        }
        return outcome
    }

    /// Repairs `findings`, which are all that a verification of `scope` has just found.
    package func repair(_ findings: [VerifyFinding], in scope: VerifyScope) throws -> Outcome {
        let known = suspects
        let found = Set(findings.map(\.path))
        var outcome = Outcome()
        outcome.resolved = try withStates { $0.current.damage(decidedBy: findings, in: scope) }
            .filter { !found.contains($0.path) }
        // If this is interrupted, the next sync or verification finds that a file which was moved away is missing.
        outcome.repairs = findings.map(Repairer(store: store).repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            repair.action == .leftToSync && repair.finding.day.map { !known.contains($0) } ?? false
        }
        try update { $0.record(outcome.repairs, in: scope, at: now()) }
        return outcome
    }

    /// Records that a command has verified all days, which does not change the next daily slice.
    package func recordVerificationOfAllDays() throws {
        try update { $0.lastComplete = now() }
    }

    /// Changes the state, and writes it if it differs from the saved one.
    private func update(_ change: (inout VerifyState) -> Void) throws {
        try withStates { states in
            change(&states.current)
            guard states.current != states.saved else { return }
            try store.write(states.current, to: Layout.verify)
            states.saved = states.current
        }
    }

    /// Verifies and repairs what is due after syncs: once a day a ``VerifySlice`` of the mirror, else damaged days if
    /// syncs changed days, else days that could not be read.
    package func run(after reasons: Reason) throws -> Outcome {
        let state = try withStates { $0.current }
        if reasons.contains(.slice), state.isSliceDue(at: now()) { return try verifySlice(state) }
        let damaged = reasons.contains(.damagedDays) ? state.suspects : []
        guard damaged.isEmpty else { return try verify(damaged) }
        return reasons.contains(.slice) ? try verifyUnreadable(state.unreadableDays) : Outcome()
    }

    /// Verifies and repairs the slice that is due, and all days with a finding.
    private func verifySlice(_ state: VerifyState) throws -> Outcome {
        let verifier = try TreeVerifier(store.tree, TreeSnapshot(of: store.tree.root))
        let all = verifier.days(in: .all)
        let slice = VerifySlice(of: all, from: state.next)
        let outcome = try verify(
            state.openDays.union(all.filter(slice.range.contains)), by: verifier)
        guard !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }

    /// Verifies days again that could not be read, as the disk may be back.
    ///
    /// The first day that still cannot be read ends this, so that a failing disk is read once a sync. The order is
    /// random, so that one bad file does not keep the other days from being read.
    private func verifyUnreadable(_ days: Set<Day>) throws -> Outcome {
        var outcome = Outcome()
        guard !days.isEmpty else { return outcome }
        let verifier = try TreeVerifier(store.tree, store.snapshots.current(rereading: days))
        for day in days.shuffled() {
            var found = try verify([day], by: verifier)
            let isReadable = !found.repairs.contains { $0.finding.kind == .unreadable }
            found.repairs.removeAll { $0.finding.kind == .unreadable }
            outcome += found
            guard isReadable, !found.isStopped else { break }
        }
        return outcome
    }
}
