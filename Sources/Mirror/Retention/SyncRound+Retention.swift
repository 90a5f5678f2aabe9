internal import APOD
internal import FoundationEssentials
internal import Platform

/// `--keep` in a sync: the files of days that are too old are deleted at its end, and downloaded again when a later
/// setting, more space or a favorite keeps them.
extension SyncRound {
    /// Empties the trash of favorites that were there long enough, then removes the oldest days that are not kept.
    ///
    /// An error leaves files where they are, for the next sync; so only a full disk is an obstacle.
    func applyRetention() {
        guard let newest = state.nextState.newest else { return }
        attempt(isObstacle: false) { try emptyTrash(newest: newest) }
        attempt(isObstacle: false) { try removeDays(newest: newest) }
    }

    /// Records that removed files of days which are kept now are here again; NASA need not be asked for them.
    func recordReturnedFiles() {
        let claims = synchronizer.store.claims
        for day in state.returnedDays
        where !state.isExcluded(day) && state[day].work == .none && !Task.isCancelled
            && claims.claim(day)
        {
            defer { claims.release(day) }
            attempt(isObstacle: false) {
                let publisher = DayPublisher(store: synchronizer.store, day: day)
                guard try publisher.recordReturn() else { return }
                apply(EntryOutcome(day, didPublish: true, .unchanged))
            }
        }
    }

    private func emptyTrash(newest: Day) throws {
        guard state.mayRemoveByDate, let today = state.dates.today else { return }
        // NASA's newest day limits a clock that is ahead, which would empty the trash too early.
        // mutation test: trash-clock
        try synchronizer.store.emptyTrash(on: min(today, newest))
    }

    private func removeDays(newest: Day) throws {
        guard !Task.isCancelled, let plan = removalPlan(newest: newest) else { return }
        if let text = plan.excess(over: synchronizer.options.keep) { report(.problem(text)) }
        // The rest follows in later syncs, so that a mistake in the setting is noticed before much is gone.
        let limit = RetentionPlan.maximumRemovals(ofDays: state.daysWithFiles.count)
        for day in plan.removals where state.summary.removed < limit && !Task.isCancelled {
            // A verification reads it: the next sync removes it.
            guard synchronizer.store.claims.claim(day) else { continue }
            defer { synchronizer.store.claims.release(day) }
            let publisher = DayPublisher(store: synchronizer.store, day: day)
            do throws(SystemError) {
                if let bytes = try publisher.remove(at: synchronizer.now()) {
                    apply(EntryOutcome(day, .removed(bytes: bytes)))
                }
            } catch {
                // The files of other days may be readable; after any other error, nothing more is removed.
                guard error.isOfContents || error.isOfRemoval else { throw error }
                reportFailure("--keep cannot remove the day \(day): \(error)")
            }
        }
    }

    /// What retention removes now; `nil` if nothing may be removed.
    private func removalPlan(newest: Day) -> RetentionPlan? {
        guard synchronizer.options.keep != .all, state.summary.obstacle == nil,
            state.mayRemoveByDate
        else { return nil }
        do {
            // Listed now: a day may have become a favorite, or the newest one, during the sync.
            var protected = try synchronizer.favorites()
                .union(synchronizer.store.daysShownAsLatest)
                .union(state.days { $0.isRequestedFirst || $0.work == .underWay })
            if let shown = state.nextState.newest(of: state.daysWithFiles, state.dates) {
                protected.insert(shown)
            }
            return try state.retention.plan(newest: newest, protected: protected)
        } catch {
            guard !Task.isCancelled else { return nil }
            reportFailure("no day is removed, because the days to keep cannot be read: \(error)")
            return nil
        }
    }
}

extension SyncRoundState {
    /// Decides anew which days are kept; a sync of single days leaves that as it is.
    ///
    /// - Throws: An error of reading a record; the last decision stands then.
    mutating func updateRetention() throws {
        guard options.since != nil else { return }
        try retention.update(newest: nextState.newest)
        nextState.keptFrom = retention.oldestKept
    }

    /// Whether `day` is older than what is kept, and not to be mirrored for another reason.
    func isExcluded(_ day: Day) -> Bool {
        retention.excludes(day) && !self[day].isAlwaysWanted
    }

    /// Whether `day` has a record, but its picture is not kept.
    func isRemoved(_ day: Day) -> Bool {
        self[day].state == .removed && isExcluded(day)
    }

    /// Whether files may be removed by date: this sync saw NASA's newest entry, and the clock agrees with it.
    ///
    /// NASA's longest pause was six weeks; 60 days leave a margin.
    var mayRemoveByDate: Bool {
        guard sawNewest, let newest = nextState.newest, dates.last != nil else { return false }
        return abs(synchronizer.now().timeIntervalSince1970 - Double(newest.noon)) < 60 * 86_400
    }
}
