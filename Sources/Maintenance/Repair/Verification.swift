package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform
internal import Synchronization

/// Verifies and repairs a tree that is open for writing, and records the damage in `.apod-mirror/verify.json`.
///
/// A ``DayVerifier`` finds the damage, a ``Repairer`` repairs what it can, and ``VerifyState`` has what is left for
/// the next sync.
///
/// The daemon runs it beside the syncs, and `verify --repair` once. Its methods block their thread, and one runs at a time.
/// A day that a sync downloads or removes is left out, and claimed while it is verified: ``DayClaims``.
package final class Verification: Sendable {
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The damage recorded earlier that a sync, a scan or a user has repaired.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is to download files of days that were no ``suspects`` before.
        package var needsSync = false
        /// Whether the task was cancelled before the end.
        package var isStopped = false

        fileprivate static func += (outcome: inout Outcome, other: Outcome) {
            outcome.repairs += other.repairs
            outcome.resolved += other.resolved
            outcome.needsSync = outcome.needsSync || other.needsSync
        }
    }

    /// What a sync left to do.
    package struct Reason: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package init(after summary: SyncSummary) {
            self = summary.obstacle == nil ? .slice : []
            if summary.downloaded + summary.edited > 0 { insert(.damagedDays) }
        }

        /// Days were downloaded, perhaps damaged ones.
        static let damagedDays = Reason(rawValue: 1)
        /// NASA can be reached: a slice of the mirror may be verified.
        static let slice = Reason(rawValue: 2)
    }

    private let store: Store
    private let now: @Sendable () -> Date
    /// `nil` until `verify.json` could be read.
    private let states = Mutex<States?>(nil)

    private struct States {
        var current: VerifyState
        /// What `verify.json` has.
        var saved: VerifyState
    }

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
        try states.withLock { known in
            var states: States
            if let known {
                states = known
            } else {
                let saved = try VerifyState.read(from: store.tree)
                states = States(current: saved, saved: saved)
            }
            defer { known = states }
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

    /// Verifies and repairs `days`, one after the other: the files of one do not change between the two.
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
        try withStates { states in
            change(&states.current)
            guard states.current != states.saved else { return }
            try store.write(states.current, to: Layout.verify)
            states.saved = states.current
        }
    }

    /// Verifies and repairs what is due after syncs: damaged days if they changed days, what could not be read before, and
    /// once a day a ``VerifySlice`` of the mirror.
    package func run(after reasons: Reason) throws -> Outcome {
        let state = try withStates { $0.current }
        if reasons.contains(.slice), state.isSliceDue(at: now()) { return try verifySlice(state) }
        // Of damaged days, which may stay damaged for years, only the months are listed.
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

    /// Verifies `days` again, of which something could not be read: the disk may be back.
    ///
    /// The first that still cannot be read ends it, so that a disk that fails is asked once a sync; it was reported before.
    /// The order differs each time, so that one bad file does not keep the others from it.
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
