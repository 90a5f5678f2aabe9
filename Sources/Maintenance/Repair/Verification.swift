package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Verifies and repairs a mirror: in the daemon after syncs, and once in the command `verify --repair`.
///
/// A ``TreeVerifier`` compares files with their records, and a ``Repairer`` repairs what it can without NASA. The damage that
/// is left is recorded in a ``VerifyState``, the contents of `verify.json`. The next sync downloads its days again.
///
/// The methods block their thread, and only one may run at a time. A method claims each day while it verifies it, and skips
/// the days that a sync downloads or removes at this moment: see ``DayClaims``.
package final class Verification: Sendable {
    let store: Store
    let now: @Sendable () -> Date
    let stateFile: VerifyStateFile

    package init(_ store: Store, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.now = now
        stateFile = VerifyStateFile(in: store)
    }

    // MARK: What is damaged

    /// The findings that are not repaired yet: files that are damaged, missing, or cannot be read.
    package var damage: [VerifyState.Damage] { stateFile.state.damage }

    /// Why `verify.json` cannot be read, so that ``damage`` lacks what it says; `nil` if it could be read.
    package var readError: SystemError? { stateFile.readError }

    /// The days of ``damage``.
    package var daysWithDamage: Set<Day> { stateFile.state.daysWithDamage }

    /// The days of ``damage`` with a damaged or missing file, which the next sync downloads again.
    ///
    /// A file that only cannot be read is not downloaded, because it may be intact.
    package var daysToDownload: Set<Day> { stateFile.state.daysToDownload }

    // MARK: Verify and repair

    /// Verifies and repairs `days`, one day after the other.
    ///
    /// - Throws: An error of reading the tree.
    package func verify(_ days: Set<Day>) throws -> VerificationOutcome {
        try verify(days, by: TreeVerifier(store.tree, store.snapshots.current(rereading: days)))
    }

    /// Verifies and repairs `days`, except those that a sync has claimed.
    func verify(_ days: Set<Day>, by verifier: TreeVerifier) throws -> VerificationOutcome {
        var outcome = VerificationOutcome()
        for day in days.sorted() {
            guard store.claims.claim(day) else { continue }
            defer { store.claims.release(day) }
            do {
                try Task.checkCancellation()
                let findings = try verifier.findings(of: day)
                let examination = VerifyState.Examination(
                    of: .days([day]), findings, unknownInventories: verifier.unknownInventories)
                outcome.add(try repair(findings, of: examination))
            } catch  where Task.isCancelled {
                // The error may be a SystemError, because a cancellation makes reads fail, too.
                outcome.isStopped = true
                break
            }
        }
        return outcome
    }

    /// Repairs `findings`, which must be all that a verification of `scope` has just found, and records what is left.
    package func repair(
        _ findings: [VerifyFinding], in scope: VerifyScope
    ) throws -> VerificationOutcome {
        try repair(findings, of: VerifyState.Examination(of: scope, findings))
    }

    private func repair(
        _ findings: [VerifyFinding], of examination: VerifyState.Examination
    ) throws -> VerificationOutcome {
        let formerDaysToDownload = daysToDownload
        let resolved = stateFile.state.damageResolved(by: examination)
        // A kill may follow the move of a damaged file to `damaged/`. The next sync or verification finds the file missing.
        let repairs = findings.map(Repairer(store: store).repair)
        let needsSync = repairs.contains { repair in
            guard repair.action == .leftToSync, let day = repair.finding.day else { return false }
            return !formerDaysToDownload.contains(day)
        }
        var outcome = try save { $0.record(repairs, after: examination, at: now()) }
        outcome.add(VerificationOutcome(repairs: repairs, resolved: resolved, needsSync: needsSync))
        return outcome
    }

    /// Changes the contents of `verify.json`; a file that cannot be read or written stops no verification.
    func save(_ change: (inout VerifyState) -> Void) throws(SystemError) -> VerificationOutcome {
        var outcome = VerificationOutcome()
        do throws(SystemError) {
            try stateFile.update(change)
        } catch  where !error.isCancelled {
            outcome.savingError = error
        }
        return outcome
    }

    /// Records that a command has verified all days; the daily verification goes on where it was.
    package func recordVerificationOfAllDays() throws -> VerificationOutcome {
        try save { $0.lastComplete = now() }
    }
}
