internal import Favorites
internal import Mirror
internal import Platform
internal import Thumbnails

/// What follows from the reports of the services. For example, a scan of `favorites/` reports that a picture is missing, and the
/// service that downloads it is woken.
extension SharedParts {
    @Sendable func handle(_ event: FavoritesService.Event) {
        switch event {
        case .modeChanged(let mode): lastRun.recordWatching(mode)
        case .recorded: start.favoritesRecorded.resume()
        case .syncNeeded: wakeReasons.send(.request)
        case .reconciled(let reasons, let outcome): didReconcile(outcome, after: reasons)
        case .scanEnded(let error):
            let wasInterrupted = error?.isCancelled ?? false
            if !wasInterrupted {
                lastRun.recordFailure(error.map(WriteFailure.ofFavorites), of: .favorites)
            }
            start.endFirstScan()
        case .startLimitReached: start.endFirstScan()
        }
    }

    private func didReconcile(_ outcome: ReconcileOutcome, after reasons: RescanReason) {
        // The last list of files may be wrong: the scan has put pictures back, or another disk was mounted.
        if outcome.didRestorePictures || reasons.contains(.mounted) { store.snapshots.invalidate() }
        notifier.update { $0.record(outcome) }
    }

    /// Records whether a round of the service that makes `thumbnails` could write them.
    func record(_ summary: ThumbnailSummary, of thumbnails: Thumbnails) {
        // Until a file that could not be written is tried again, a round without a failure does not show that the disk works.
        guard summary.diskFailure != nil || !thumbnails.hasDiskErrors else { return }
        lastRun.recordFailure(summary.diskFailure, of: .thumbnails)
    }

    /// Records an update of the views, which may have changed what a link in `favorites/` means.
    func record(_ round: ViewRound, favorites: FavoritesService) {
        // A link in favorites/ may lead to latest.jpg, which is now another picture.
        if round.changedPaths.contains(Layout.latestPicture) { favorites.requestScan() }
        lastRun.recordUpdate(round)
        lastRun.write()
    }
}
