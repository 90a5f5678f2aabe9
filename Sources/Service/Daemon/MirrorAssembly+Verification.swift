internal import Maintenance
internal import Mirror
internal import Platform

/// Verifies and repairs the mirror after each sync, logs the results, and wakes the services concerned.
extension MirrorAssembly {
    /// The maximum number of findings that are logged one by one.
    private static let maximumLines = 10

    /// Verifies what is due after a sync.
    ///
    /// - Returns: Whether another sync is to download files that are damaged; `false` also after an error.
    func verify(after summary: SyncSummary) -> Bool {
        do {
            let outcome = try verification.run(after: summary)
            report(outcome)
            return outcome.needsSync
        } catch {
            context.log.error(
                "cannot verify the mirror: \(error); the next attempt follows the next sync")
            return false
        }
    }

    private func report(_ outcome: Verification.Outcome) {
        let log = context.log
        // Damage of earlier verifications that a sync or a scan has repaired since.
        let repaired = outcome.resolved.map { "repaired: \($0.path)" }
        for line in repaired.limited(to: Self.maximumLines, { counted($0, "more repaired file") }) {
            log.event(line)
        }
        for repair in outcome.repairs.prefix(Self.maximumLines) {
            log.warning("\(repair.finding.kind.rawValue): \(repair.finding)")
            if repair.isDone {
                log.event("repaired: \(repair)")
            } else {
                log.info("not repaired yet: \(repair)")
            }
        }
        let more = outcome.repairs.count - Self.maximumLines
        if more > 0 {
            log.warning("\(more) more findings; “apod-mirror verify” lists what is left")
        }
        guard !outcome.repairs.isEmpty || !outcome.resolved.isEmpty else { return }
        // A scan of `favorites/` repairs the copies of favorites.
        if outcome.repairs.contains(where: { $0.action == .leftToScan }) { favorites.requestScan() }
        // Also if nothing is repaired yet: the metrics, which are written with the views, count the damage.
        context.changes.broadcast(.days)
    }
}
