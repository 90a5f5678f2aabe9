internal import APOD
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

extension DaemonlessSync {
    /// Repairs `findings`, all that a verification of the days of `scope` has found, and returns the damage that is left.
    ///
    /// 1. Repairs from the mirror itself what it can, and records the other damage.
    /// 2. Downloads the days with recorded damage, if there are any.
    /// 3. Restores lost pins, the hard links that keep the pictures of favorites, and makes lost thumbnails.
    /// 4. Verifies the days that still have recorded damage, because the download may have repaired them.
    ///
    /// A step that cannot save its result, as on a full disk, does not prevent the next ones. The first such error is thrown at
    /// the end; if damage is left, it is logged instead, because the caller reports the damage. The reason of each repair that
    /// failed is logged, too.
    ///
    /// `isWhole` says that the verification read all files of all days. `didSync` receives the result of step 2.
    package func repair(
        _ findings: [VerifyFinding], of scope: VerifyScope, isWhole: Bool, log: Log,
        didSync: (SyncSummary) -> Void
    ) async throws -> [VerifyState.Damage] {
        var outcome = try verification.repair(findings, in: scope)
        if isWhole { outcome.add(try verification.recordVerificationOfAllDays()) }

        let damagedDays = verification.daysToDownload
        if !damagedDays.isEmpty {
            didSync(try await sync(downloading: damagedDays, downloadsVideos: false))
        }

        await restorePinsAndThumbnails(lostBy: findings, log: log)

        // The record of damage still has the days that the download has repaired.
        let daysToVerify = verification.daysToDownload
        if !daysToVerify.isEmpty, !Task.isCancelled {
            outcome.add(try verification.verify(daysToVerify))
        }
        try report(outcome, in: log)
        return verification.damage
    }

    private func restorePinsAndThumbnails(lostBy findings: [VerifyFinding], log: Log) async {
        let items = findings.map(\.item)
        if items.contains(.pin) { await FavoritesService(of: store, log: log).scanOnce() }
        guard items.contains(.thumbnail) else { return }
        await ThumbnailService(
            thumbnails: Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
        ).makeMissing()
    }

    /// Logs why damage is left, and the first error of saving a result; without damage, throws that error instead.
    private func report(_ outcome: VerificationOutcome, in log: Log) throws {
        let remainingDamage = verification.damage
        let failures = outcome.failures
        for damage in remainingDamage {
            guard let failure = failures[damage.path] else { continue }
            log.error("apod-mirror: cannot repair \(damage.path): \(failure)")
        }
        guard let error = outcome.savingError else { return }
        guard !remainingDamage.isEmpty else { throw error }
        log.error("apod-mirror: \(error.advice)")
    }
}
