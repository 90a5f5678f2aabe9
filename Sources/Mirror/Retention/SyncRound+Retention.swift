internal import APOD
internal import FoundationEssentials
internal import Platform

/// `--keep` in a sync: the files of the oldest days are deleted at its end. They are downloaded again when a later
/// setting, more space or a favorite keeps the day.
extension SyncRound {
    /// Empties the trash of old favorites, then removes the oldest days that are not kept.
    ///
    /// A failure leaves files where they are, for the next sync. So only a full disk is an obstacle.
    func applyRetention() {
        guard let newest = state.nextState.newest else { return }
        attempt(isObstacle: false) { try emptyTrash(newest: newest) }
        attempt(isObstacle: false) { try removeDays(newest: newest) }
    }

    /// Records which files of kept days are here again, so that NASA is not asked for them.
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
        // A clock that is ahead would empty the trash too early, and NASA's newest day bounds it.
        // mutation test: trash-clock
        try synchronizer.store.emptyTrash(on: min(today, newest))
    }

    private func removeDays(newest: Day) throws {
        guard !Task.isCancelled, let plan = removalPlan(newest: newest) else { return }
        if let text = plan.excess(over: synchronizer.options.keep) { report(.problem(text)) }
        let limit = RetentionPlan.maximumRemovals(ofDays: state.daysWithFiles.count)
        for day in plan.removals where state.summary.removed < limit && !Task.isCancelled {
            // A day that a verification reads now is removed by the next sync.
            guard synchronizer.store.claims.claim(day) else { continue }
            defer { synchronizer.store.claims.release(day) }
            let publisher = DayPublisher(store: synchronizer.store, day: day)
            do throws(SystemError) {
                if let bytes = try publisher.remove(at: synchronizer.now()) {
                    apply(EntryOutcome(day, .removed(bytes: bytes)))
                }
            } catch {
                // One unreadable file says nothing about other days; any other error ends the removals.
                guard error.isUnreadableFile || error.isRefusedRemoval else { throw error }
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
            // Read now, because a day may have become a favorite or the newest one during the sync.
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
    /// Computes which days are kept; a sync of single days leaves that as it is.
    ///
    /// - Throws: The error of reading a record; nothing changes then.
    mutating func updateRetention() throws {
        guard options.since != nil else { return }
        try retention.update(newest: nextState.newest)
        nextState.keptFrom = retention.oldestKept
    }

    /// Whether `day` is too old to be kept, and not wanted for another reason.
    func isExcluded(_ day: Day) -> Bool {
        retention.excludes(day) && !self[day].isAlwaysWanted
    }

    /// Whether `day` has a record, but its files are not kept.
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
