internal import APOD
internal import FoundationEssentials

/// What is older than ``Keep`` is moved to the trash at the end of a sync, and returns when it is kept again.
extension SyncRound {
    /// Returns a day from the trash; `false` if the day is not there, or is to be downloaded after an error.
    func returnFromTrash(_ day: Day) -> Bool {
        guard state.recorded.contains(day), !state.hasFiles(day) else { return false }
        do {
            guard
                let record = try DayPublisher(store: synchronizer.store, day: day)
                    .returnFromTrash(),
                let path = record.mediaPath
            else { return false }
            let title = record.entry.title
            apply(EntryOutcome(day, title: title, .returned(path: path, bytes: record.bytes)))
            return true
        } catch {
            reportProblem("\(error)")
            return false
        }
    }

    /// Removes the oldest days that are not kept, at most a tenth, and empties the trash.
    func applyRetention() {
        let store = synchronizer.store
        attempt(isObstacle: false) {
            if let obstacle = try store.trashObstacle() { return report(.problem(obstacle)) }
            if state.isClockSure(), let tomorrow = state.dates.last,
                let newest = state.known.newest
            {
                // NASA's newest day limits a clock that is ahead.
                // mutation test: trash-clock
                let day = min(tomorrow.advanced(by: -1), newest)
                attempt(isObstacle: false) { try store.emptyTrash(on: day) }
            }
            guard !Task.isCancelled, let plan = retentionPlan() else { return }
            let limit = RetentionPlan.limit(of: state.present.count)
            if let text = plan.excess(over: synchronizer.options.keep) { report(.problem(text)) }
            // The date of the trash: a clock that is behind must not shorten the time there.
            let newest = Date(
                timeIntervalSince1970: Double((state.known.newest ?? .first).number * 86_400))
            // mutation test: trash-name
            let time = max(synchronizer.now(), newest)
            for day in plan.removals where state.summary.removed < limit && !Task.isCancelled {
                if let bytes = try DayPublisher(store: store, day: day).remove(at: time) {
                    apply(EntryOutcome(day, .removed(bytes: bytes)))
                }
            }
        }
    }

    /// What retention removes now; `nil` if nothing may be removed.
    private func retentionPlan() -> RetentionPlan? {
        guard synchronizer.options.keep != .all, !state.summary.isObstructed,
            state.isClockSure(), let newest = state.known.newest
        else { return nil }
        do {
            if let obstacle = state.retention.obstacle { throw obstacle }
            // Listed now: a day may have become a favorite during the sync.
            var protected = try synchronizer.protected().union(state.favorites)
                .union(synchronizer.store.shownDays)
            if let shown = state.known.newest(of: state.present, state.dates) {
                protected.insert(shown)
            }
            return state.retention.plan(newest: newest, protected: protected)
        } catch {
            report(.problem("no day is removed, because the favorites cannot be read: \(error)"))
            return nil
        }
    }
}

extension SyncRoundState {
    mutating func updateRetention() {
        guard options.since != nil else { return }
        retention.update(newest: known.newest)
        known.keptFrom = retention.oldestKept
    }

    /// Whether `day` is older than what is kept, no favorite, and not ``unrecorded``.
    func isExcluded(_ day: Day) -> Bool {
        retention.excludes(day) && !favorites.contains(day) && !unrecorded.contains(day)
    }

    /// Whether `day` has a record, but its picture is not kept.
    func isRemoved(_ day: Day) -> Bool {
        self[day] == .removed && isExcluded(day)
    }

    /// Whether files may be removed by date: this sync saw NASA's newest entry, and the clock agrees with it.
    ///
    /// NASA's longest pause was six weeks.
    func isClockSure() -> Bool {
        guard sawNewest, let newest = known.newest, dates.last != nil else { return false }
        return abs(synchronizer.now().timeIntervalSince1970 - Double(newest.noon)) < 60 * 86_400
    }
}
