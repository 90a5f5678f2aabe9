internal import APOD
internal import Maintenance
package import Mirror
package import Platform

extension MirrorAssembly {
    /// Syncs once, and does what the services of the daemon do before and after a sync; verifies only days with known damage.
    ///
    /// `show` consumes the events of the sync, shows `receivedBytes`, and returns the summary of the sync.
    package func runOnce(
        showing show: (SyncEvents, _ receivedBytes: SharedValue<Int>) async -> SyncSummary
    ) async -> SingleRun {
        var run = SingleRun()
        // Before the sync, which may bring a newer day.
        await newDay?.runIfDue(showing: nil, mayRepeat: true)
        await syncBetweenScans(recordingIn: &run, show)
        logMovedItems()
        // The sync may have repaired these days.
        run.failures += verification.verifyAgain(verification.daysWithDamage)
        run.add(await makeThumbnails())
        recordResult(of: run.summary)
        let round = await views.update()
        run.failures += round.failures
        shared.lastRun.recordUpdate(round)
        await newDay?.runIfDue(showing: round.shownDay, mayRepeat: false)
        return run
    }

    /// Syncs, and scans `favorites/` before and after.
    ///
    /// The sync first downloads the favorites that the first scan finds; the second scan pins their pictures.
    private func syncBetweenScans(
        recordingIn run: inout SingleRun,
        _ show: (SyncEvents, SharedValue<Int>) async -> SyncSummary
    ) async {
        let failureBefore = await favorites.scanOnce()
        run.summary = await syncBesideThumbnails(show)
        shared.store.snapshots.release()
        let failureAfter = await favorites.scanOnce()
        // If both scans failed, the cause is mostly the same, such as a full disk: one error is reported.
        if let failure = failureAfter ?? failureBefore { run.failures.append(failure) }
    }

    private func recordResult(of summary: SyncSummary) {
        // `SyncSummary.hasNews` is true after each walk over the tree, and a single sync always walks. So only a run that
        // received nothing, as without a network, has no news.
        let hasReceived = synchronizer.traffic.withLock { $0 > 0 }
        shared.lastRun.recordResult(of: summary, nextSync: nil, hasNews: hasReceived)
    }

    private func syncBesideThumbnails(
        _ show: (SyncEvents, SharedValue<Int>) async -> SyncSummary
    ) async -> SyncSummary {
        await withTaskGroup(of: Void.self) { group in
            // The only error is a cancellation, such as the one below. Thumbnails that failed are tried again after the sync.
            group.addTask { try? await thumbnails?.run() }
            defer { group.cancelAll() }
            return await show(synchronizer.sync(retry: .anyFailure), synchronizer.traffic)
        }
    }

    /// Returns `nil` if the thumbnailer is not installed, which is no failure, and if there is nothing to do.
    private func makeThumbnails() async -> ThumbnailSummary? {
        guard let thumbnails, !Task.isCancelled else { return nil }
        let summary = await thumbnails.makeMissing()
        return thumbnails.isAvailable ? summary : nil
    }
}
