package import Platform

/// What a ``Verification`` of some days has found, repaired and recorded.
package struct VerificationOutcome: Sendable {
    package var repairs: [Repair] = []
    /// The findings of earlier verifications that a sync, a scan or a person has repaired since.
    package var resolved: [VerifyState.Damage] = []
    /// Whether a sync is needed, because days have been added to ``Verification/daysToDownload``, or damaged files were moved away.
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

    /// Requests a sync if damaged pictures or videos were moved away, even if the next sync downloads their days anyway.
    ///
    /// An earlier sync could not replace a file that a repair had failed to move. This is not called after a sync that
    /// downloaded these days: if something damages a file after each download, one sync after the other would be requested.
    mutating func requestSyncForMovedFiles() {
        if repairs.contains(where: { $0.hasMovedFile && $0.action == .leftToSync }) {
            needsSync = true
        }
    }

    /// Adds the outcome of verifying other days.
    package mutating func add(_ other: VerificationOutcome) {
        repairs += other.repairs
        resolved += other.resolved
        needsSync = needsSync || other.needsSync
        isStopped = isStopped || other.isStopped
        savingError = savingError ?? other.savingError
    }
}
