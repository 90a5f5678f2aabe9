internal import APOD
internal import FoundationEssentials
internal import Platform

/// What is older than ``Keep`` goes to the trash at the end of a sync, and returns when it is wanted.
extension SyncRound {
    /// Returns a wanted day from the trash, if it is there.
    func restore(_ day: Day) -> Bool {
        guard state.mayBeInTrash(day) else { return false }
        do {
            guard let record = try DayPublisher(synchronizer.store, of: day).restore(),
                let path = record.picture?.path ?? record.video?.path
            else { return false }
            let title = record.entry.title
            settle(EntryOutcome(day, title: title, .restored(path: path, bytes: record.bytes)))
            return true
        } catch {
            // It is downloaded instead.
            reportProblem("\(error)")
            return false
        }
    }

    /// Removes the oldest days that are not kept, at most a tenth, and empties the trash.
    func applyRetention() {
        let (store, now) = (synchronizer.store, synchronizer.now())
        attempt {
            if state.isClockSure(at: now), let today = state.dates(at: now).last {
                try store.emptyTrash(on: today.advanced(by: -1))
            }
            guard !Task.isCancelled, let (plan, limit) = retentionPlan(at: now) else { return }
            if let text = plan.excess(over: synchronizer.options.keep) { report(.problem(text)) }
            for day in plan.removals where state.summary.removed < limit && !Task.isCancelled {
                if let bytes = try DayPublisher(store, of: day).remove(at: now) {
                    settle(EntryOutcome(day, .removed(bytes: bytes)))
                }
            }
        }
    }

    private func retentionPlan(at now: Date) -> (plan: RetentionPlan, limit: Int)? {
        do {
            return try state.retentionPlan(at: now, protected: synchronizer.protected)
        } catch {
            report(.problem("no day is removed, because the favorites cannot be read: \(error)"))
            return nil
        }
    }
}
