internal import Maintenance
internal import Mirror
internal import Platform

/// Verifies after a sync, logs the result and notifies the other services.
struct VerifyLogger: Sendable {
    let verification: Verification
    let log: Log
    let changes: ChangeBroadcaster
    let requestScan: @Sendable () -> Void

    /// The maximum number of findings that are logged one by one.
    private static let maximumLines = 10

    /// Recovers a copied mirror, and repairs what commands ask for, before a sync.
    func prepareSync() {
        recoverCopy()
        do {
            if let outcome = try verification.runRequest() { report(outcome) }
        } catch {
            log.error("cannot verify the mirror: \(error); the next attempt follows the sync")
        }
    }

    /// Recovers a mirror that was copied, before a sync.
    func recoverCopy() {
        do {
            try verification.recoverCopy { log.notice($0) }
        } catch {
            log.error("cannot restore the copied mirror: \(error)")
        }
    }

    /// Returns whether a sync is to download damaged files.
    func run(after summary: SyncSummary) -> Bool {
        do {
            let outcome = try verification.run(after: summary)
            report(outcome)
            return outcome.needsSync
        } catch {
            log.error("cannot verify the mirror: \(error); the next attempt follows the next sync")
            return false
        }
    }

    private func report(_ outcome: Verification.Outcome) {
        let repairs = outcome.repairs
        for damage in outcome.resolved.prefix(Self.maximumLines) {
            log.event("repaired: \(damage.path)")
        }
        for repair in repairs.prefix(Self.maximumLines) {
            log.warning("\(repair.finding.kind.rawValue): \(repair.finding)")
            if repair.isDone {
                log.event("repaired: \(repair)")
            } else if repair.action == .setAside {
                log.warning("not repaired: \(repair)")
            } else {
                log.info("not repaired yet: \(repair)")
            }
        }
        if repairs.count > Self.maximumLines {
            log.warning(
                "\(repairs.count - Self.maximumLines) more findings; “apod-mirror verify” lists all"
            )
        }
        guard !repairs.isEmpty || !outcome.resolved.isEmpty else { return }
        if repairs.contains(where: { $0.action == .leftToScan }) { requestScan() }
        changes.broadcast(.days)
    }
}
