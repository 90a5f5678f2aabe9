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
        /// Whether the task was cancelled before the end, so that the other days are still due.
        package var isStopped = false

        /// Adds the outcome of other days.
        fileprivate mutating func add(_ other: Outcome) {
            repairs += other.repairs
            resolved += other.resolved
            needsSync = needsSync || other.needsSync
            isStopped = isStopped || other.isStopped
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
    private let cache = Mutex<States?>(nil)

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

    /// Calls `body` with the states, which the first call reads; if it cannot, the next call tries again.
    ///
    /// What `body` changes before it throws is kept.
    private func withStates<Result: Sendable>(
        _ body: (inout States) throws -> Result
    ) throws -> Result {
        try cache.withLock { cached in
            var states = try cached ?? States(of: store.tree)
            defer { cached = states }
            return try body(&states)
        }
    }

    // MARK: What is damaged

    // The days are empty if `verify.json` cannot be read, which the next verification reports.

    /// The findings that are not repaired yet, of files that are wrong, missing or cannot be read.
    package var damage: [VerifyState.Damage] {
        get throws { try withStates { $0.current.damage } }
    }

    /// The days of ``damage``.
    package var daysWithDamage: Set<Day> {
        (try? withStates { $0.current.daysWithDamage }) ?? []
    }

    /// The days of ``damage`` that the next sync downloads again: a file is wrong or missing, not only unreadable.
    package var suspects: Set<Day> { (try? withStates { $0.current.suspects }) ?? [] }

    // MARK: Verifying given days

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
                let findings = try verifier.findings(in: .days([day]))
                outcome.add(try repair(findings, in: .days([day])))
            } catch  where Task.isCancelled {
                // Of any type, because cancellation also makes reads fail, with a SystemError.
                outcome.isStopped = true
                break
            }
        }
        return outcome
    }

    /// Repairs `findings`, which are all that a verification of `scope` has just found.
    package func repair(_ findings: [VerifyFinding], in scope: VerifyScope) throws -> Outcome {
        let earlierSuspects = suspects
        let paths = Set(findings.map(\.path))
        var outcome = Outcome()
        outcome.resolved = try withStates { $0.current.damage(decidedBy: findings, in: scope) }
            .filter { !paths.contains($0.path) }
        // If this is interrupted, the next sync or verification finds that a file which was moved away is missing.
        outcome.repairs = findings.map(Repairer(store: store).repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            guard repair.action == .leftToSync, let day = repair.finding.day else { return false }
            return !earlierSuspects.contains(day)
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

    // MARK: What is due after a sync

    /// Verifies and repairs what is due after syncs: the first of these that applies.
    ///
    /// 1. Once a day, if NASA was reached: a ``VerifySlice`` of the mirror, with all days that have damage.
    /// 2. If days were downloaded: the ``suspects``, which the sync may have repaired.
    /// 3. If NASA was reached: the days that could not be read.
    package func run(after reasons: Reason) throws -> Outcome {
        let state = try withStates { $0.current }
        if reasons.contains(.slice), state.isSliceDue(at: now()) { return try verifySlice(state) }
        if reasons.contains(.damagedDays), !state.suspects.isEmpty {
            return try verify(state.suspects)
        }
        if reasons.contains(.slice), !state.unreadableDays.isEmpty {
            return try verifyUnreadable(state.unreadableDays)
        }
        return Outcome()
    }

    /// Verifies and repairs the slice that is due, and all days with damage.
    private func verifySlice(_ state: VerifyState) throws -> Outcome {
        let verifier = try TreeVerifier(store.tree, TreeSnapshot(of: store.tree.root))
        let all = verifier.days(in: .all)
        let slice = VerifySlice(of: all, from: state.next)
        let daysOfSlice = all.filter(slice.range.contains)
        let outcome = try verify(state.daysWithDamage.union(daysOfSlice), by: verifier)
        // The next slice begins where this one did.
        guard !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }

    /// Verifies days again that could not be read, because the disk may be back.
    ///
    /// The first day that still cannot be read ends this, so that a failing disk is read once a sync. The order is
    /// random, so that one bad file does not keep the other days from being read. The outcome leaves out what still cannot
    /// be read, because an earlier one had it.
    private func verifyUnreadable(_ days: Set<Day>) throws -> Outcome {
        var outcome = Outcome()
        let verifier = try TreeVerifier(store.tree, store.snapshots.current(rereading: days))
        for day in days.shuffled() {
            var outcomeOfDay = try verify([day], by: verifier)
            let isReadable = !outcomeOfDay.repairs.contains { $0.finding.kind == .unreadable }
            outcomeOfDay.repairs.removeAll { $0.finding.kind == .unreadable }
            outcome.add(outcomeOfDay)
            guard isReadable, !outcome.isStopped else { break }
        }
        return outcome
    }
}
