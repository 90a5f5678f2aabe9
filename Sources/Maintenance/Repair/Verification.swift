package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform
internal import Synchronization

/// Verifies and repairs a mirror: in the daemon after syncs, and once in the command `verify --repair`.
///
/// A ``TreeVerifier`` compares files with their records, and a ``Repairer`` repairs what it can without NASA. The damage that
/// is left is recorded in a ``VerifyState``, the contents of `verify.json`. The next sync downloads its days again.
///
/// The methods block their thread, and only one may run at a time. A method claims each day while it verifies it, and skips
/// the days that a sync downloads or removes at this moment: see ``DayClaims``.
package final class Verification: Sendable {
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The findings of earlier verifications that a sync, a scan or a person has repaired since.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is needed, because days have been added to ``daysToDownload``.
        package var needsSync = false
        /// Whether the task was cancelled before the end, so that the rest of the days is still due.
        package var isStopped = false

        /// Adds the outcome of verifying other days.
        fileprivate mutating func add(_ other: Outcome) {
            repairs += other.repairs
            resolved += other.resolved
            needsSync = needsSync || other.needsSync
            isStopped = isStopped || other.isStopped
        }
    }

    /// What a sync did that makes a verification useful.
    package struct Reason: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package init(after summary: SyncSummary) {
            self = []
            if summary.downloaded + summary.edited > 0 { insert(.updatedDays) }
            if summary.obstacle == nil { insert(.metNoObstacle) }
        }

        /// The sync downloaded or edited days, which may have repaired damaged ones.
        static let updatedDays = Reason(rawValue: 1)
        /// The sync met no obstacle, so that files which are found to be damaged can be downloaded again.
        static let metNoObstacle = Reason(rawValue: 2)
    }

    private let store: Store
    private let now: @Sendable () -> Date
    /// `nil` until `verify.json` was read for the first time.
    private let cachedStates = Mutex<States?>(nil)

    private struct States {
        var current: VerifyState
        /// The state that `verify.json` has.
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

    /// Calls `body` with the states, after the first call has read `verify.json`.
    ///
    /// If that fails, the next call tries again. The changes that `body` makes stay even if it throws.
    private func withStates<Result: Sendable>(
        _ body: (inout States) throws -> Result
    ) throws -> Result {
        try cachedStates.withLock { cached in
            var states = try cached ?? States(of: store.tree)
            defer { cached = states }
            return try body(&states)
        }
    }

    // MARK: What is damaged

    // If `verify.json` cannot be read, the sets of days are empty, and the next verification reports the error.

    /// The findings that are not repaired yet: files that are damaged, missing, or cannot be read.
    package var damage: [VerifyState.Damage] {
        get throws { try withStates { $0.current.damage } }
    }

    /// The days of ``damage``.
    package var daysWithDamage: Set<Day> {
        (try? withStates { $0.current.daysWithDamage }) ?? []
    }

    /// The days of ``damage`` with a damaged or missing file, which the next sync downloads again.
    ///
    /// A file that only cannot be read is not downloaded, because it may be intact.
    package var daysToDownload: Set<Day> {
        (try? withStates { $0.current.daysToDownload }) ?? []
    }

    // MARK: Verifying given days

    /// Verifies and repairs `days`, one day after the other.
    ///
    /// - Throws: An error of reading the tree, or of writing `verify.json`.
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
                outcome.add(
                    try repair(findings, in: .days([day]), besides: verifier.unknownParts))
            } catch  where Task.isCancelled {
                // The error may be a SystemError, because a cancellation makes reads fail, too.
                outcome.isStopped = true
                break
            }
        }
        return outcome
    }

    /// Repairs `findings`, and records what is left; they must be all that a verification of `scope` has just found.
    ///
    /// The earlier damage in parts that it could not examine stays: in `unknownParts`, and in those of which a finding says so.
    package func repair(
        _ findings: [VerifyFinding], in scope: VerifyScope,
        besides unknownParts: Set<TreeVerifier.Part> = []
    ) throws -> Outcome {
        let earlierDays = daysToDownload
        let examination = VerifyState.Examination(of: scope, besides: unknownParts, findings)
        var outcome = Outcome()
        outcome.resolved = try withStates { $0.current.damageResolved(by: examination) }
        // A kill may follow the move of a damaged file to `damaged/`. The next sync or verification finds the file missing.
        outcome.repairs = findings.map(Repairer(store: store).repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            guard repair.action == .leftToSync, let day = repair.finding.day else { return false }
            return !earlierDays.contains(day)
        }
        try update { $0.record(outcome.repairs, in: scope, besides: unknownParts, at: now()) }
        return outcome
    }

    /// Records that a command has verified all days; the daily verification goes on where it was.
    package func recordVerificationOfAllDays() throws {
        try update { $0.lastComplete = now() }
    }

    /// Changes the state, and writes it if it differs from that in `verify.json`.
    private func update(_ change: (inout VerifyState) -> Void) throws {
        try withStates { states in
            change(&states.current)
            guard states.current != states.saved else { return }
            try store.write(states.current, to: Layout.verify)
            states.saved = states.current
        }
    }

    // MARK: What is due after a sync

    /// Verifies and repairs what is due after one or more syncs: the first of the following that applies.
    ///
    /// 1. Once a day, after a sync without an obstacle: a ``VerifySlice``, a thirtieth of the mirror, and all days with damage.
    /// 2. After a sync that downloaded or edited days: ``daysToDownload``, which the sync may have repaired.
    /// 3. After a sync without an obstacle: the days with a file that could not be read.
    package func run(after reasons: Reason) throws -> Outcome {
        let state = try withStates { $0.current }
        if reasons.contains(.metNoObstacle), state.isSliceDue(at: now()) {
            return try verifySlice(state)
        }
        if reasons.contains(.updatedDays), !state.daysToDownload.isEmpty {
            return try verify(state.daysToDownload)
        }
        if reasons.contains(.metNoObstacle), !state.unreadableDays.isEmpty {
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
        // After a cancellation, the slice stays due.
        guard !outcome.isStopped else { return outcome }
        try update { state in
            // A command has recorded it, and verifies all days; a slice has the days of a part.
            state.forgetDamageOfNoDay(exceptAt: verifier.unreadableParts.keys)
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }

    /// Verifies the days again that have a file which could not be read, because the disk may work now.
    ///
    /// The first day that still has an unreadable file ends this, so that a failing disk is read only once after each sync.
    /// The order is random, so that the same bad file does not keep the other days from being read each time.
    ///
    /// - Returns: The outcome without the findings of unreadable files, which were reported before.
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
