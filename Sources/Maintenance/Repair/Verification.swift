package import APOD
package import FoundationEssentials
package import Mirror
package import Platform
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
            self = summary.isObstructed ? [] : .slice
            if summary.downloaded + summary.edited > 0 { insert(.damagedDays) }
        }

        /// Days were downloaded, perhaps damaged ones.
        static let damagedDays = Reason(rawValue: 1)
        /// NASA can be reached: a slice of the mirror may be verified.
        static let slice = Reason(rawValue: 2)
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

    /// Verifies and repairs `days`, one after the other: the files of one do not change between the two.
    ///
    /// - Throws: An error of reading the tree, or of writing the state.
    package func verify(_ days: Set<Day>) throws -> Outcome {
        let verifier = try DayVerifier(store.tree, isQuick: false) { _ in }
        var outcome = Outcome()
        for day in days.sorted() {
            guard store.claims.claim(day) else { continue }
            defer { store.claims.release(day) }
            do {
                try Task.checkCancellation()
                outcome += try repair(verifier.findings(of: day), in: .days([day]))
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

    /// Verifies and repairs what is due after syncs: damaged days if they changed days, and once a day a
    /// ``VerifySlice`` of the mirror.
    package func run(after reasons: Reason) throws -> Outcome {
        var days = reasons.contains(.damagedDays) ? suspects : []
        let isSliceDue =
            reasons.contains(.slice) && state.withLock { $0.current.isSliceDue(at: now()) }
        guard isSliceDue || !days.isEmpty else { return Outcome() }
        let recorded = try TreeSnapshot(of: store.tree.root).recordedInOrder
        let slice = VerifySlice(of: recorded, from: state.withLock(\.current.next))
        if isSliceDue { days.formUnion(recorded.filter(slice.range.contains)) }
        let outcome = try verify(days)
        guard isSliceDue, !outcome.isStopped else { return outcome }
        try update { state in
            state.next = slice.next
            state.lastSlice = now()
            if slice.next == nil { state.lastComplete = now() }
        }
        return outcome
    }
}
