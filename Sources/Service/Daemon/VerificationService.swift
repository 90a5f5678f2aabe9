internal import Maintenance
internal import Mirror
internal import Platform

/// Verifies and repairs some days after each sync, while other syncs go on; ``Verification/run(after:)`` chooses the days.
struct VerificationService: Sendable {
    let verification: Verification
    let log: Log
    /// Notified of each verification that found or repaired something.
    let changes: ChangeBroadcaster
    /// Requests a scan of the favorites, which repairs the pinned pictures.
    let requestScan: @Sendable () -> Void
    /// Requests a sync, which downloads days that were found to be damaged.
    let requestSync: @Sendable () -> Void

    /// Sent after each sync: what its result says about the days to verify.
    private let reasonsToVerify = CoalescingSignal<Verification.Reason>()

    /// The maximum number of findings that are logged one by one.
    private static let maximumLines = 10

    /// Makes ``run()`` verify what is due after a sync.
    func syncDidEnd(_ summary: SyncSummary) {
        reasonsToVerify.send(Verification.Reason(after: summary))
    }

    func run() async throws {
        while true {
            let reasons = try await reasonsToVerify.next()
            do {
                let outcome = try verification.run(after: reasons)
                logRepairs(outcome)
                if let error = outcome.savingError {
                    log.error("cannot record the verification: \(error.advice)")
                }
                wakeServices(after: outcome)
            } catch {
                log.error(
                    "cannot verify the mirror: \(error); the next attempt follows the next sync")
            }
        }
    }

    private func logRepairs(_ outcome: VerificationOutcome) {
        // Earlier verifications found this damage, and a sync, a scan or a person has repaired it since.
        let repaired = outcome.resolved.map { damage in
            "\(damage.kind == .unreadable ? "readable again" : "repaired"): \(damage.path)"
        }
        repaired.limited(to: Self.maximumLines) { counted($0, "more repaired file") }
            .forEach { log.event($0) }
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
    }

    /// Wakes the services that continue a repair, or show what is damaged.
    private func wakeServices(after outcome: VerificationOutcome) {
        if outcome.repairs.contains(where: { $0.action == .leftToScan }) { requestScan() }
        // Damage that is not repaired yet changes the metrics, which are written with the views.
        if !outcome.repairs.isEmpty || !outcome.resolved.isEmpty { changes.broadcast(.days) }
        if outcome.needsSync { requestSync() }
    }
}
