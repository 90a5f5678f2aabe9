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
    package struct Outcome: Sendable {
        package var repairs: [Repair] = []
        /// The findings of earlier verifications that a sync, a scan or a person has repaired since.
        package var resolved: [VerifyState.Damage] = []
        /// Whether a sync is needed, because days have been added to ``daysToDownload``, or damaged files were moved away.
        package var needsSync = false
        /// Whether the task was cancelled before the end, so that the rest of the days is still due.
        package var isStopped = false
        /// The first error of reading or writing `verify.json`.
        ///
        /// The file then lacks what was found out. This process keeps that in memory.
        package var savingError: SystemError?

        /// Why files could not be repaired by the last attempt, and what to do, by their paths.
        package var failures: [String: String] {
            var failures: [String: String] = [:]
            for repair in repairs {
                if case .failed(let reason) = repair.action {
                    failures[repair.finding.path] = reason
                }
            }
            return failures
        }

        /// Requests a sync if damaged pictures or videos were moved away, even if they are of ``daysToDownload`` already.
        ///
        /// An earlier sync could not replace a file that a repair had failed to move. This is not called after a sync that
        /// downloaded these days: if something damages a file after each download, one sync after the other would be requested.
        mutating func requestSyncForMovedFiles() {
            if repairs.contains(where: { $0.hasMovedFile && $0.action == .leftToSync }) {
                needsSync = true
            }
        }

        /// Adds the outcome of verifying other days.
        package mutating func add(_ other: Outcome) {
            repairs += other.repairs
            resolved += other.resolved
            needsSync = needsSync || other.needsSync
            isStopped = isStopped || other.isStopped
            savingError = savingError ?? other.savingError
        }
    }

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
    package func verify(_ days: Set<Day>) throws -> Outcome {
        try verify(days, by: TreeVerifier(store.tree, store.snapshots.current(rereading: days)))
    }

    /// Verifies and repairs `days`, except those that a sync has claimed.
    func verify(_ days: Set<Day>, by verifier: TreeVerifier) throws -> Outcome {
        var outcome = Outcome()
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
    package func repair(_ findings: [VerifyFinding], in scope: VerifyScope) throws -> Outcome {
        try repair(findings, of: VerifyState.Examination(of: scope, findings))
    }

    private func repair(
        _ findings: [VerifyFinding], of examination: VerifyState.Examination
    ) throws -> Outcome {
        let earlierDays = daysToDownload
        var outcome = Outcome()
        outcome.resolved = stateFile.state.damageResolved(by: examination)
        // A kill may follow the move of a damaged file to `damaged/`. The next sync or verification finds the file missing.
        outcome.repairs = findings.map(Repairer(store: store).repair)
        outcome.needsSync = outcome.repairs.contains { repair in
            guard repair.action == .leftToSync, let day = repair.finding.day else { return false }
            return !earlierDays.contains(day)
        }
        let repairs = outcome.repairs
        outcome.add(try save { $0.record(repairs, after: examination, at: now()) })
        return outcome
    }

    /// Changes the contents of `verify.json`; a file that cannot be read or written stops no verification.
    func save(_ change: (inout VerifyState) -> Void) throws(SystemError) -> Outcome {
        var outcome = Outcome()
        do throws(SystemError) {
            try stateFile.update(change)
        } catch  where !error.isCancelled {
            outcome.savingError = error
        }
        return outcome
    }

    /// Records that a command has verified all days; the daily verification goes on where it was.
    package func recordVerificationOfAllDays() throws -> Outcome {
        try save { $0.lastComplete = now() }
    }
}
